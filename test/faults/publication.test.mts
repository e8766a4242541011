import { testWithSharedN8n } from './faultTests.mts';
import { lifecycleFaults } from './lifecycleFaults.mts';
import { requestFaults } from './requestFaults.mts';

testWithSharedN8n('publication', [...requestFaults, ...lifecycleFaults]);

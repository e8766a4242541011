import { driftFaults } from './driftFaults.mts';
import { testWithSharedN8n } from './faultTests.mts';

testWithSharedN8n('publication', driftFaults);

import { testWithSharedN8n } from './faultTests.mts';
import { throttlingFaults } from './throttlingFaults.mts';

testWithSharedN8n('publication', throttlingFaults);

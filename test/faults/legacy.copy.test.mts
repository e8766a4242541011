import { copyFaults } from './copyFaults.mts';
import { testWithOwnN8n } from './faultTests.mts';

testWithOwnN8n('legacy', copyFaults);

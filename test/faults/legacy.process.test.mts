import { testWithOwnN8n } from './faultTests.mts';
import { processFaults } from './processFaults.mts';

testWithOwnN8n('legacy', processFaults);

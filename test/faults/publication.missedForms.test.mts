import { testWithOwnN8n } from './faultTests.mts';
import { missedFormsFaults } from './missedFormsFaults.mts';

testWithOwnN8n('publication', missedFormsFaults);

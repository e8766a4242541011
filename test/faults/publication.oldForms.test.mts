import { testWithSharedN8n } from './faultTests.mts';
import { oldFormsFaults } from './oldFormsFaults.mts';

testWithSharedN8n('publication', oldFormsFaults);

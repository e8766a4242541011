import { FORM_SUBMITTED } from './submittedForm';

const ACCOUNT = '00000000-0000-4000-8000-0000000000a1';
const USER = '00000000-0000-4000-8000-0000000000b1';
const FORM = '00000000-0000-4000-8000-0000000000c1';
const TIME = '2026-01-15T09:30:00.000Z';

export const SAMPLE_NOTE =
	"This is a sample, because the Argyle account has no user form yet. Map its fields: a real form has the same ones. To get one, search in Argyle Link for an employer that isn't listed, and fill in the form.";

/** As the first form of an account would come. Its `name` says what it is wherever the item goes. */
export const SAMPLE_EVENT = {
	event: FORM_SUBMITTED,
	name: 'SAMPLE – this account has no user form yet',
	data: { account: ACCOUNT, user: USER, user_form: FORM },
	userForm: {
		id: FORM,
		account: ACCOUNT,
		data: { income_source: 'Sample Bakery', payroll_provider: 'Sample Payroll' },
		created_at: TIME,
		updated_at: TIME,
	},
};

import { randomUUID } from 'node:crypto';
import type { FakeArgyle } from './index.mts';
import type { StoredRecord } from './types.mts';

/** In the order in which an invite goes through them; it never falls back. */
const STEPS = ['sent', 'initiated', 'attempted', 'completed'];

/** Who was invited, and acts in Argyle's Link. On a revoked invite nothing happens. */
export class Person {
	private readonly argyle: FakeArgyle;

	private readonly invite: StoredRecord;

	constructor(argyle: FakeArgyle, inviteId: string) {
		const invite = argyle.invites.get(inviteId);
		if (invite === undefined) throw new Error(`The fake Argyle has no invite ${inviteId}`);
		this.argyle = argyle;
		this.invite = invite;
	}

	private get user(): string {
		return String(this.invite.user);
	}

	/** Clicks the link. */
	open(): boolean {
		return this.reach('initiated');
	}

	/** Does not find the employer, and says which it is. */
	async submitForm(incomeSource: string, payrollProvider = 'Not known'): Promise<void> {
		if (!this.reach('attempted')) return;
		await this.argyle.submitForm({ user: this.user, account: randomUUID(), incomeSource, payrollProvider });
	}

	/** Logs in at the employer's payroll system: records and events come as after a real connection. */
	async connect(): Promise<string | undefined> {
		if (!this.reach('completed')) return undefined;
		const account = randomUUID();
		const owner = { account, user: this.user };
		this.argyle.records.addAccount(owner);
		this.argyle.records.addSeed(owner);
		const record = this.argyle.users.get(this.user);
		if (record !== undefined)
			Object.assign(record, { items_connected: ['item_000001422'], employers_connected: ['Whole Goods'] });
		this.verify('PROCESSING', 'authenticated');
		for (const event of ['accounts.added', 'accounts.connected', 'identities.added'])
			await this.argyle.deliver(event, owner);
		await this.argyle.deliver('users.fully_synced', { user: this.user });
		await this.argyle.deliver('reports.ready', { user: this.user, accounts: [account] });
		return account;
	}

	/** Logs in with a wrong password. */
	async fail(): Promise<void> {
		if (!this.reach('attempted')) return;
		this.verify('PAUSED', 'connection_attempted');
		await this.argyle.deliver('accounts.failed', { account: randomUUID(), user: this.user });
	}

	/** Hands in a document. */
	async upload(): Promise<void> {
		if (!this.reach('completed')) return;
		const [upload] = this.argyle.addRecords('user-uploads', 1, { user: this.user, account: randomUUID() });
		if (upload === undefined) throw new Error('there is no upload');
		const data = { user_upload: upload.id, account: upload.account, user: this.user };
		await this.argyle.deliver('user_uploads.added', data);
	}

	private reach(step: string): boolean {
		if (this.invite.status === 'revoked') return false;
		if (STEPS.indexOf(step) > STEPS.indexOf(String(this.invite.status))) this.invite.status = step;
		return true;
	}

	/** What the person does moves the verifications that wait for it. */
	private verify(state: string, code: string): void {
		for (const verification of this.argyle.records.of('verifications').values())
			if (verification.user === this.user && verification.data_source === 'payroll')
				verification.status = { state, code, errors: [] };
	}
}

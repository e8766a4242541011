import { randomUUID } from 'node:crypto';
import { connectAccount, failAccount } from './accountLife.mts';
import type { FakeArgyle } from './index.mts';
import type { StoredRecord } from './types.mts';
import { isUnfinished, moveVerification } from './verificationSteps.mts';

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

	open(): boolean {
		return this.reach('initiated');
	}

	/** Does not find the employer, and says which it is. */
	async submitForm(incomeSource: string): Promise<void> {
		if (!this.reach('attempted')) return;
		await this.argyle.submitForm({
			user: this.user,
			account: randomUUID(),
			incomeSource,
			payrollProvider: 'Not known',
		});
	}

	/** Logs in at the employer's payroll system. */
	async connect(): Promise<string | undefined> {
		if (!this.reach('completed')) return undefined;
		this.verify('PROCESSING', 'authenticated');
		return await connectAccount(this.argyle, this.user);
	}

	async fail(): Promise<void> {
		if (!this.reach('attempted')) return;
		this.verify('PAUSED', 'connection_attempted');
		await failAccount(this.argyle, this.user);
	}

	private reach(step: string): boolean {
		if (this.invite.status === 'revoked') return false;
		if (STEPS.indexOf(step) > STEPS.indexOf(String(this.invite.status))) this.invite.status = step;
		return true;
	}

	/** What the person does moves the verifications that wait for it. */
	private verify(state: string, code: string): void {
		for (const verification of this.argyle.records.of('verifications').values())
			if (verification.user === this.user && verification.data_source === 'payroll' && isUnfinished(verification))
				moveVerification(this.argyle, verification, state, code);
	}
}

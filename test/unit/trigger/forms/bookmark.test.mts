import type { ArgyleClient } from '../../../../nodes/Argyle/transport/client';
import { bookmarkIn } from '../../../../nodes/Argyle/trigger/forms/bookmark';

const client: ArgyleClient = Object.create({ account: 'current' });
const BOOKMARK = Date.UTC(2026, 0, 1);
const LATER = Date.UTC(2026, 5, 1);

const lastOf = (account: string, id?: string) => ({
	id,
	account,
	url: 'https://n8n.example.com',
	environment: 'Sandbox',
});
const subscription = { id: 'id', created_at: new Date(LATER).toISOString() };

describe('bookmarkIn', () => {
	it('goes on with the bookmark of the same account, also where nothing says which one it is from', () => {
		expect(bookmarkIn(client, lastOf('current'), [], undefined, BOOKMARK)).toBe(BOOKMARK);
		expect(bookmarkIn(client, undefined, [], subscription, BOOKMARK)).toBe(BOOKMARK);
		expect(bookmarkIn(client, undefined, [], undefined, undefined)).toBeUndefined();
	});

	it('goes on with the bookmark when another key shows the subscription that was registered last', () =>
		expect(bookmarkIn(client, lastOf('other', 'id'), [subscription], undefined, BOOKMARK)).toBe(BOOKMARK));

	it('knows none of another account until it is registered there', () => {
		expect(bookmarkIn(client, lastOf('other', 'old'), [subscription], undefined, BOOKMARK)).toBeUndefined();
		expect(bookmarkIn(client, lastOf('other'), [], undefined, BOOKMARK)).toBeUndefined();
	});

	it('begins in another account when the subscription there was made, and never goes back', () => {
		expect(bookmarkIn(client, lastOf('other', 'old'), [subscription], subscription, BOOKMARK)).toBe(LATER);
		expect(bookmarkIn(client, lastOf('other', 'old'), [subscription], subscription, undefined)).toBe(LATER);
		expect(bookmarkIn(client, lastOf('other', 'old'), [subscription], subscription, LATER + 1)).toBe(LATER + 1);
	});
});

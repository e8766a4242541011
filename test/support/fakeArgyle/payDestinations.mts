const BANK_ACCOUNT = {
	reference: 'CHECKING 123456783740',
	amount: '565.57',
	method: 'direct deposit',
	ach_deposit_account: { bank_name: 'NW Bank', routing_number: '026010000', account_number: '123456783740' },
	card: null,
};

const CARD = {
	reference: 'Pay card',
	amount: '565.57',
	method: 'pay card',
	ach_deposit_account: null,
	card: { card_name: 'Pay card', card_number: '4111111111111111', is_platform_card: false },
};

/** Where the pay of a paystub went: every other one to a card, as another client's code of 2026 reads it. */
export const payDestinations = (index: number) => [index % 2 === 0 ? BANK_ACCOUNT : CARD];

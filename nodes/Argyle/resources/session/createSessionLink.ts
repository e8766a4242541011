import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readItemIds } from '../../shared/employerIds';
import { createLink } from '../../api/sessions';
import { createMask } from '../../api/sensitiveFields';
import { readUrl } from '../../shared/addresses';
import { additionalFields, textField, verificationIdField } from '../../shared/fields';
import { linkEmployersField, readTemplateId, templateIdField } from '../../shared/linkFields';
import { readBoolean, readChoice, readChosenId, readId, readOptionalText } from '../../shared/parameters';
import { ArgyleError } from '../../transport/errors';
import { isNothing } from '../../utils/coerce';
import { isDataObject } from '../../utils/json';
import type { Operation } from '../operation';

const PAYROLL_ONLY = 'For verifications from payroll only';

const LANGUAGES = { ZH: 'Chinese', EN: 'English', RU: 'Russian', ES: 'Spanish' };

function readConfiguration(context: IExecuteFunctions, itemIndex: number): IDataObject {
	const values = context.getNodeParameter('additionalFields', itemIndex, {});
	const configuration: IDataObject = {};
	const texts = {
		redirect_url: readUrl(values.redirectUrl, 'Redirect URL'),
		flow_id: readTemplateId(values.templateId),
		language: isNothing(values.language) ? '' : readChoice(values.language, 'Language', LANGUAGES),
		experience: readOptionalText(values.experience, 'Banking Experience ID'),
	};
	for (const [key, text] of Object.entries(texts)) if (text !== '') configuration[key] = text;
	const items = readItemIds(values.employers, 'Employers');
	if (items.length > 0) configuration.items = items;
	if (values.mobileApp !== undefined) configuration.mobile_app = readBoolean(values.mobileApp, 'Mobile App');
	if (values.singleUse !== undefined) configuration.single_use_url = readBoolean(values.singleUse, 'Single Use');
	return configuration;
}

export const createSessionLink: Operation = {
	value: 'createLink',
	name: 'Create Link',
	action: 'Create a session link',
	description:
		'Make a link with which the person of a verification connects an employer or bank. It works for one hour.',
	effect: 'givesAccess',
	fields: [
		{
			...verificationIdField,
			description:
				'The verification that the link is for. Nobody is written to. A verification from documents has no link. For verifications from bank accounts, Argyle has to enable links that people open directly.',
		},
		additionalFields([
			textField(
				'Banking Experience ID',
				'experience',
				'e.g. 0187c66e-e7e5-811c-b006-2232f00f426a',
				'The ID that Argyle gave you. For verifications from bank accounts only.',
			),
			{ ...linkEmployersField, description: `${linkEmployersField.description} ${PAYROLL_ONLY}.` },
			{
				displayName: 'Language',
				name: 'language',
				type: 'options',
				default: 'EN',
				options: Object.entries(LANGUAGES).map(([value, name]) => ({ name, value })),
				description: `The language in which the person is addressed. ${PAYROLL_ONLY}.`,
			},
			{
				displayName: 'Mobile App',
				name: 'mobileApp',
				type: 'boolean',
				default: true,
				description: `Whether the link is opened inside of a mobile app. ${PAYROLL_ONLY}.`,
			},
			textField(
				'Redirect URL',
				'redirectUrl',
				'e.g. https://example.com/thanks',
				'The page that the person sees afterwards. Argyle asks for one with every link that is opened directly. Seeing this page proves nothing: use the Argyle Trigger to learn what was connected.',
			),
			{
				displayName: 'Single Use',
				name: 'singleUse',
				type: 'boolean',
				default: true,
				description:
					'Whether the link expires after one successful connection. For verifications from bank accounts only.',
			},
			{ ...templateIdField, description: `${templateIdField.description} ${PAYROLL_ONLY}.` },
		]),
	],
	async execute(context, itemIndex, call) {
		const verification = readChosenId(context, itemIndex, verificationIdField, readId);
		const configuration = readConfiguration(context, itemIndex);
		const client = await call.connect();
		const session = await createLink(client, verification, configuration);
		if (isDataObject(session) && typeof session.link === 'string') return [{ json: createMask()(session) }];
		throw new ArgyleError(
			"Argyle sent a session that can't be read",
			"It has no link. If this goes on, ask Argyle's support.",
		);
	},
};

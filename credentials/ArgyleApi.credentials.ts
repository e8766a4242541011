import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * The key pair of one Argyle environment. Its test is `testArgyleApi` of the Argyle node, because n8n's declarative
 * test can't tell two 401s apart. It has no `httpRequestNode`, because n8n would then hide its entry in the HTTP
 * Request node: a node of its package uses it.
 */
export class ArgyleApi implements ICredentialType {
	name = 'argyleApi';

	displayName = 'Argyle API';

	icon: Icon = { light: 'file:../icons/argyle.svg', dark: 'file:../icons/argyle.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-argyle/n8n-nodes-argyle#the-credential-argyle-api';

	properties: INodeProperties[] = [
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			options: [
				{ name: 'Sandbox', value: 'sandbox', description: 'Test data; billing receipts do not exist here' },
				{ name: 'Production', value: 'production', description: 'Real users and billing' },
				{
					name: 'Custom Base URL',
					value: 'custom',
					description: 'A server of your own that hands requests on to Argyle, such as a company proxy',
				},
			],
			default: 'sandbox',
			description: 'The environment that the API key was made in. Every key works in one environment only.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://argyle-proxy.example.com',
			description:
				'Where requests and the key go, without /v2. Must be https; plain http is accepted for this computer only. Never by an expression over items: whoever fills the item would get the key.',
			displayOptions: { show: { environment: ['custom'] } },
		},
		{
			displayName: 'API Key ID',
			name: 'apiKeyId',
			type: 'string',
			default: '',
			required: true,
			description: 'Found in the Argyle Console under Developers > API Keys',
		},
		{
			displayName: 'API Key Secret',
			name: 'apiKeySecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Shown once by the Argyle Console, when the key is made',
		},
	];

	/** A function, because n8n would evaluate two expressions in its sandbox for each request of the declarative form. */
	authenticate: IAuthenticate = async (credentials, request) => ({
		...request,
		// A key that is copied often has a blank at its end, and no key has one in truth.
		auth: { username: String(credentials.apiKeyId).trim(), password: String(credentials.apiKeySecret).trim() },
	});
}

import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * `testArgyleApi` of the Argyle node tests this credential. n8n's declarative test can't tell a wrong key from a key of
 * the other environment, because both get a 401. This class has no `httpRequestNode`, because n8n's HTTP Request node
 * would then not offer the credential.
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
				"Where requests and the key go, without /v2. Must be https; plain http is accepted for this computer only. Don't use an expression that reads an item here: whoever writes the item would decide which server gets the key.",
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

	/**
	 * This is a function, because n8n would evaluate the declarative form at each request, as two expressions in its
	 * sandbox.
	 */
	authenticate: IAuthenticate = async (credentials, request) => ({
		...request,
		// People often copy a blank along with the key. No key begins or ends with one.
		auth: { username: String(credentials.apiKeyId).trim(), password: String(credentials.apiKeySecret).trim() },
	});
}

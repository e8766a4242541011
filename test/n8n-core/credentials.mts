import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	ICredentialsHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeProperties,
	type Workflow,
} from 'n8n-workflow';
import { ArgyleApi } from '../../credentials/ArgyleApi.credentials';

/**
 * Hands one decrypted `argyleApi` credential to every node, and authenticates as n8n does: by the credential's own
 * `authenticate`.
 */
export class OneCredential extends ICredentialsHelper {
	private readonly data: ICredentialDataDecryptedObject;

	constructor(data: ICredentialDataDecryptedObject) {
		super();
		this.data = data;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		options: IHttpRequestOptions,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		if (workflow === undefined || node === undefined) throw new Error('n8n authenticates for a node of a workflow');
		const resolve = (value: string | undefined) =>
			String(
				workflow.expression.getSimpleParameterValue(
					node,
					value,
					'internal',
					{ $credentials: credentials },
					undefined,
					'',
				),
			);
		const { auth } = new ArgyleApi().authenticate.properties;
		return { ...options, auth: { username: resolve(auth?.username), password: resolve(auth?.password) } };
	}

	async preAuthentication(): Promise<undefined> {}

	async runPreAuthentication(): Promise<undefined> {}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.data };
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('not asked for by nodes');
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(): INodeProperties[] {
		return new ArgyleApi().properties;
	}
}

import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	ICredentialsHelper,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';
import { ArgyleApi } from '../../../credentials/ArgyleApi.credentials';

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
	): Promise<IHttpRequestOptions> {
		const { authenticate } = new ArgyleApi();
		if (typeof authenticate !== 'function') throw new Error('the credential authenticates by a function');
		return await authenticate(credentials, options);
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

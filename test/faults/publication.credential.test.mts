import { credentialFaults, credentialFaultsWithRestart } from './credentialFaults.mts';
import { testWithOwnN8n, testWithSharedN8n } from './faultTests.mts';

describe('in a shared n8n', () => testWithSharedN8n('publication', credentialFaults));

describe('in an n8n of its own', () => testWithOwnN8n('publication', credentialFaultsWithRestart));

/** A trigger that takes every call and does nothing with it: what no trigger can be faster than. */
class NothingTrigger {
	description = {
		displayName: 'Nothing Trigger',
		name: 'nothingTrigger',
		group: ['trigger'],
		version: 2,
		description: 'Takes every call',
		defaults: { name: 'Nothing Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: 'webhook' }],
		properties: [],
	};

	webhookMethods = {
		default: { checkExists: async () => true, create: async () => true, delete: async () => true },
	};

	async webhook() {
		return { workflowData: [[{ json: {} }]], webhookResponse: { message: 'Received' } };
	}
}

module.exports = { NothingTrigger };

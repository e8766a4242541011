/** Accepts every call and does nothing with it: no trigger can be faster. */
class NoOpTrigger {
	description = {
		displayName: 'No-Op Trigger',
		name: 'noOpTrigger',
		group: ['trigger'],
		version: 2,
		description: 'Accepts every call',
		defaults: { name: 'No-Op Trigger' },
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

module.exports = { NoOpTrigger };

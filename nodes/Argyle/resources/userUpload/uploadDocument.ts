import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { DOCUMENT_TYPES } from '../../api/filters';
import { createMask } from '../../api/sensitiveFields';
import * as userUploads from '../../api/userUploads';
import { readIdToFind } from '../../shared/idToFind';
import { userIdField } from '../../shared/fields';
import { isTool } from '../../shared/nodeError';
import { readChoice } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import type { UploadedFile } from '../../transport/upload';
import { safeFileName } from '../../utils/fileName';
import { inputFile } from '../inputFile';
import type { Operation } from '../operation';

const documentTypeField: INodeProperties = {
	displayName: 'Document Type',
	name: 'documentType',
	type: 'options',
	options: Object.entries(DOCUMENT_TYPES).map(([value, name]) => ({ name, value })),
	default: 'paystubs',
	description: 'What the document is',
};

const fileField: INodeProperties = {
	displayName: 'Input File Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	description: 'The name of the input field that holds the file: a PDF or a picture (JPG, PNG or HEIC)',
	hint: 'The name of the input binary field with the file to upload',
};

/** For `.catch()`. */
function throwGone(): never {
	throw refused(
		"n8n's binary store no longer has the file",
		'n8n deletes files with their executions. Run the workflow from its beginning.',
	);
}

/**
 * Argyle's guide names PDF, JPG, PNG and HEIC. Pictures of the other kinds are sent too, and Argyle says whether it
 * takes them.
 */
const DOCUMENT_EXTENSIONS = ['pdf', 'jpg', 'jpeg', 'png', 'heic', 'heif', 'tif', 'tiff', 'webp', 'gif', 'bmp'];

const DOCUMENT_MEDIA_TYPE = /^(application\/pdf|image\/)/i;

/** The media types that n8n and services name for a file of which they don't know the type. */
const UNKNOWN_MEDIA_TYPE = /^(text\/plain|(application|binary)\/octet-stream)/i;

/**
 * Throws ArgyleError if the extension and the media type tell that the file is no document. For example, a spreadsheet
 * is refused.
 */
function assertDocument(fileName: string, mimeType: string): void {
	const [, extension] = /\.([a-z0-9]+)$/i.exec(fileName) ?? [];
	const isOfDocument =
		extension === undefined ? UNKNOWN_MEDIA_TYPE.test(mimeType) : DOCUMENT_EXTENSIONS.includes(extension.toLowerCase());
	if (isOfDocument || DOCUMENT_MEDIA_TYPE.test(mimeType)) return;
	throw refused(
		`${fileName} is neither a PDF nor a picture`,
		'Argyle takes a PDF or a picture (JPG, PNG or HEIC) as a document. Save it as a PDF, or choose another file.',
	);
}

async function readFile(context: IExecuteFunctions, itemIndex: number): Promise<UploadedFile> {
	const { helpers } = context;
	const { displayName, name } = fileField;
	const binary = await inputFile(context, itemIndex, context.getNodeParameter(name, itemIndex), {
		displayName,
		adviceWithoutFile: isTool(context.getNode())
			? `an agent can't hand one over. Give ${displayName} the file of a node by an expression, such as {{ $('Chat').first().binary.data0 }}.`
			: 'put a node that gets the file before this one.',
	});
	const { id, mimeType, fileExtension } = binary;
	const extension = /^\w+$/.test(fileExtension ?? '') ? `.${fileExtension}` : '';
	const fileName = safeFileName(binary.fileName ?? '') || `document${extension}`;
	assertDocument(fileName, mimeType);
	// If the file has no ID, n8n already holds it in memory.
	const bytes = id === undefined ? await helpers.getBinaryDataBuffer(itemIndex, binary) : undefined;
	const size = bytes?.length ?? (await helpers.getBinaryMetadata(String(id)).catch(throwGone)).fileSize;
	if (size === 0) throw refused('The file is empty', `${fileName} has no bytes.`);
	const open = async () => bytes ?? (await helpers.getBinaryStream(String(id)).catch(throwGone));
	return { fileName, mimeType, size, open };
}

export const uploadDocument: Operation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload a document',
	description: 'Give Argyle a document of a user, such as a paystub that the person sent by e-mail',
	effect: 'orders',
	fields: [{ ...userIdField, description: 'The user whose document it is' }, documentTypeField, fileField],
	async execute(context, itemIndex, call) {
		const findUser = readIdToFind(context, itemIndex, userIdField);
		const { name, displayName } = documentTypeField;
		const documentType = readChoice(context.getNodeParameter(name, itemIndex), displayName, DOCUMENT_TYPES);
		const file = await readFile(context, itemIndex);
		const client = await call.connect();
		const user = await findUser(client);
		const record: IDataObject = await userUploads.uploadDocument(client, call.attemptOf, user, documentType, file);
		return [{ json: createMask()(record) }];
	},
};

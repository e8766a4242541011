import { DateTime } from 'luxon';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

const texts = (values: unknown[]) => values.map(text).filter((value) => value !== '');

/** Joins the parts that are not empty into one line. n8n's lists show the name of an entry, but not its description. */
export const joined = (parts: unknown[]) => texts(parts).join(' · ');

export const listed = (values: unknown) => (Array.isArray(values) ? texts(values).join(', ') : '');

export const fullName = ({ first_name: first, last_name: last }: IDataObject) => texts([first, last]).join(' ');

/** Returns when a record was created, in the time zone of the workflow, or '' if the record's time can't be read. */
export function creation(context: ILoadOptionsFunctions, { created_at: createdAt }: IDataObject): string {
	const time = DateTime.fromISO(text(createdAt), { zone: context.getTimezone() });
	return time.isValid ? time.toFormat('yyyy-MM-dd HH:mm') : '';
}

/** Where the files of a report are, on Argyle's own host. */
export const reportFiles = (report: string) => ({
	file_url: `/v2/reports/${report}/pdf`,
	json_url: `/v2/reports/${report}/json`,
});

/** How far a verification is: completed with this report, or still without one. */
export const verificationProgress = (report: string | undefined) =>
	report === undefined
		? {
				status: { state: 'PROCESSING', code: 'authenticated', errors: [] },
				report: { id: null, type: 'voie', file_url: null, json_url: null },
			}
		: {
				status: { state: 'COMPLETED', code: 'completed', errors: [] },
				report: { id: report, type: 'voie', ...reportFiles(report) },
			};

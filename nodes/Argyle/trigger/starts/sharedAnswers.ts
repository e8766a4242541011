import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';

interface Question<T> {
	answer: Promise<T>;
	/** The signal of the execution that asks. A person may stop that execution. */
	signal: AbortSignal | undefined;
	/** Milliseconds since 1970. */
	askedAt: number;
}

/** Argyle's answers by key. Executions that ask for the same key share one answer; a failure is not kept. */
export class SharedAnswers<T> {
	private readonly questions = new LruMap<Question<T>>();

	private readonly keptMs: number;

	constructor(keptMs: number) {
		this.keptMs = keptMs;
	}

	/** Executions that come together ask once; when the one that asks is stopped, another one asks. */
	async get(key: string, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
		// A person's data may be in an answer. It leaves the memory even if nobody asks for that person again.
		this.questions.deleteWhere((question) => !this.isCurrent(question));
		for (let other = this.current(key); other !== undefined; other = this.current(key)) {
			const wasStopped = (error: unknown) => {
				if (other?.signal?.aborted !== true || signal?.aborted === true) throw error;
				return undefined;
			};
			const answer = await other.answer.then((value) => ({ value }), wasStopped);
			if (answer !== undefined) return answer.value;
		}
		const question = { answer: ask(), signal, askedAt: Date.now() };
		this.questions.set(key, question);
		void question.answer.catch(() => {
			if (this.questions.get(key) === question) this.questions.delete(key);
		});
		return await question.answer;
	}

	private current(key: string): Question<T> | undefined {
		const question = this.questions.get(key);
		return question !== undefined && this.isCurrent(question) ? question : undefined;
	}

	private isCurrent({ askedAt }: Question<T>): boolean {
		return isWithin(this.keptMs, askedAt, Date.now());
	}
}

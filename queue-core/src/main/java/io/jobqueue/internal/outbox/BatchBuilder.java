package io.jobqueue.internal.outbox;

import java.util.List;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Batch;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;

/**
 * Collects the name and the callbacks of a batch.
 */
public final class BatchBuilder implements Batch.Builder {

	private final String name;

	private final @Nullable JobRequest then;

	private final @Nullable JobRequest onFailure;

	private final BiFunction<String, List<JobRequest>, Batch> start;

	/**
	 * Create a builder without callbacks.
	 * @param reader checks the name
	 * @param name the name of the batch
	 * @param start starts a batch with its name and its callbacks: the one of
	 * {@link #then}, and that of {@link #onFailure} if there is one
	 * @throws JobRejectedException if the name cannot be stored
	 */
	public BatchBuilder(RequestReader reader, String name, BiFunction<String, List<JobRequest>, Batch> start) {
		this(reader.name("batch", name), null, null, start);
	}

	private BatchBuilder(String name, @Nullable JobRequest then, @Nullable JobRequest onFailure,
			BiFunction<String, List<JobRequest>, Batch> start) {
		this.name = name;
		this.then = then;
		this.onFailure = onFailure;
		this.start = start;
	}

	@Override
	public Batch.Builder then(Object requestOrPayload) {
		return new BatchBuilder(this.name, RequestReader.request(() -> "then", requestOrPayload), this.onFailure,
				this.start);
	}

	@Override
	public Batch.Builder onFailure(Object requestOrPayload) {
		return new BatchBuilder(this.name, this.then, RequestReader.request(() -> "onFailure", requestOrPayload),
				this.start);
	}

	@Override
	public Batch start() {
		if (this.then == null) {
			throw new JobRejectedException("then", "is missing: name the job that follows the batch");
		}
		return this.start.apply(this.name,
				(this.onFailure != null) ? List.of(this.then, this.onFailure) : List.of(this.then));
	}

	/**
	 * Check the callbacks, which interceptors may have changed.
	 * @param requested the number of callbacks before that
	 * @param jobs the callbacks
	 * @throws JobRejectedException if their number has changed, or if one of them has a
	 * unique or an ordering key or predecessors
	 */
	public static void check(int requested, List<NewJob> jobs) {
		if (jobs.size() != requested) {
			throw new JobRejectedException("batch",
					"has %s callbacks, but interceptors have passed on %s".formatted(requested, jobs.size()));
		}
		check("then", jobs.get(0));
		jobs.stream().skip(1).forEach((job) -> check("onFailure", job));
	}

	private static void check(String property, NewJob callback) {
		UniqueKey key = callback.keys().unique();
		if (key != null) {
			throw new JobRejectedException(property,
					"has the unique key '%s', but a callback must be a job of its own: omit the key"
						.formatted(key.value()));
		}
		if (callback.keys().ordering() != null) {
			throw new JobRejectedException(property,
					"has an ordering key, but members with the same key would wait for it: omit orderedBy");
		}
		if (!callback.predecessors().ids().isEmpty()) {
			throw new JobRejectedException(property,
					"names predecessors, but a callback waits for its batch only: omit after");
		}
	}

}

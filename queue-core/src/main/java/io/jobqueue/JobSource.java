package io.jobqueue;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.Assert;

/**
 * The queues, and the types of their jobs, from which a {@link JobPuller} takes jobs.
 *
 * <pre class="code">
 * JobSource.of("imports", Import.class)
 * JobSource.firstOf(JobSource.of("imports", Import.class), JobSource.of("exports", Export.class))</pre>
 *
 * @param <T> the common class of all payloads
 * @param kinds the kinds of jobs
 */
@CheckReturnValue
public record JobSource<T>(Set<Kind<? extends T>> kinds) {

	/**
	 * Create a source.
	 * @param kinds the kinds of jobs, at least one
	 */
	public JobSource {
		Assert.notEmpty(kinds, "'kinds' must not be empty");
		kinds = Set.copyOf(kinds);
	}

	/**
	 * Select the jobs of a queue with the type of a payload class or one of its
	 * {@linkplain JobType#aliases() aliases}.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @return the source
	 */
	public static <T> JobSource<T> of(String queue, Class<T> payload) {
		return new JobSource<>(Set.of(new Kind<>(queue, payload, null)));
	}

	/**
	 * Select the jobs of a queue with a named type, for payloads without a class of their
	 * own.
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload {@code Map}, {@code JsonNode} or {@code String}
	 * @param type the type's name, as given to {@link JobRequest#type}
	 * @return the source
	 */
	public static <T> JobSource<T> of(String queue, Class<T> payload, String type) {
		return new JobSource<>(Set.of(new Kind<>(queue, payload, type)));
	}

	/**
	 * Combine several sources. A pull takes the most urgent job of all, and of equally
	 * urgent jobs of one queue the one that has been due for longest. Between queues that
	 * order is approximate, and no queue starves.
	 * @param <T> the common class of all payloads
	 * @param sources the sources
	 * @return a source of the jobs of all sources
	 */
	@SafeVarargs
	public static <T> JobSource<T> firstOf(JobSource<? extends T>... sources) {
		Set<Kind<? extends T>> all = new LinkedHashSet<>();
		for (JobSource<? extends T> source : sources) {
			all.addAll(source.kinds());
		}
		return new JobSource<>(all);
	}

	/**
	 * Jobs of a queue that have the same type.
	 *
	 * @param <T> the class of the payload
	 * @param queue the queue's name
	 * @param payload the class of the payload
	 * @param type the type's name, {@code null} for that of the class
	 */
	public record Kind<T>(String queue, Class<T> payload, @Nullable String type) {

		/**
		 * Create a kind.
		 * @param queue the queue's name
		 * @param payload the class of the payload
		 * @param type the type's name, {@code null} for that of the class
		 */
		public Kind {
			Objects.requireNonNull(queue, "'queue' must not be null");
			Objects.requireNonNull(payload, "'payload' must not be null");
		}

	}

}

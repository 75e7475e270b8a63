package io.jobqueue;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.Assert;

/**
 * Where a {@link JobPuller} takes jobs from: queues, and the types of payloads there.
 *
 * <pre class="code">
 * JobSource.of("imports", Import.class)
 * JobSource.firstOf(JobSource.of("imports", Import.class), JobSource.of("exports", Export.class))</pre>
 *
 * @param <T> what all the payloads have in common
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
	 * Take the jobs of a queue that have the type of a payload class, and those of its
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
	 * Take the jobs of a queue that have a type, for payloads without a class of their
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
	 * Take what comes first in any of several sources: the most urgent of all, and among
	 * the equally urgent of one queue what has been due for longest. Among those of
	 * several queues it is about that; none of them starves.
	 * @param <T> what all the payloads have in common
	 * @param sources the sources
	 * @return all of them together
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
	 * @param type the type's name, {@code null} if the class says it
	 */
	public record Kind<T>(String queue, Class<T> payload, @Nullable String type) {

		/**
		 * Create a kind.
		 * @param queue the queue's name
		 * @param payload the class of the payload
		 * @param type the type's name, {@code null} if the class says it
		 */
		public Kind {
			Objects.requireNonNull(queue, "'queue' must not be null");
			Objects.requireNonNull(payload, "'payload' must not be null");
		}

	}

}

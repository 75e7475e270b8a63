package io.jobqueue.internal.pull;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobSource;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.payload.PayloadReader;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.fetch.ServedTypes;

import static java.util.stream.Collectors.joining;

/**
 * The types of a source by queue, and the readers of their payloads.
 */
final class SourceTypes {

	private final JobTypes types;

	private final PayloadCodecs codecs;

	private final Map<String, Set<String>> byQueue = new TreeMap<>();

	private final Map<Map.Entry<String, String>, Class<?>> classes = new HashMap<>();

	private final Map<Map.Entry<String, String>, PayloadReader> readers = new HashMap<>();

	SourceTypes(JobSource<?> source, JobTypes types, PayloadCodecs codecs) {
		this.types = types;
		this.codecs = codecs;
		source.kinds().forEach(this::add);
	}

	private void add(JobSource.Kind<?> kind) {
		if (!QueueNames.isValid(kind.queue())) {
			throw new InvalidSourceException(
					"No job can be pulled from queue '%s': the queue name is invalid".formatted(kind.queue()),
					"Use a queue name that matches " + QueueNames.RULE);
		}
		PayloadReader reader = new PayloadReader(this.codecs.of(kind.queue()), kind.payload());
		for (String type : names(kind)) {
			checkOnlyClass(kind, type);
			this.byQueue.computeIfAbsent(kind.queue(), (queue) -> new TreeSet<>()).add(type);
			this.readers.put(Map.entry(kind.queue(), type), reader);
		}
	}

	private void checkOnlyClass(JobSource.Kind<?> kind, String type) {
		Class<?> other = this.classes.putIfAbsent(Map.entry(kind.queue(), type), kind.payload());
		if (other != null && other != kind.payload()) {
			String names = Stream.of(other, kind.payload()).map(Class::getName).sorted().collect(joining(" and "));
			throw new InvalidSourceException(
					"No job of type '%s' can be pulled from queue '%s': the source names two classes for its payload, %s"
						.formatted(type, kind.queue(), names),
					"Name one class per type of a queue");
		}
	}

	private Set<String> names(JobSource.Kind<?> kind) {
		try {
			Set<String> names = new TreeSet<>(this.types.aliases(kind.payload()));
			names.add(this.types.name(kind.payload(), kind.type()));
			return names;
		}
		catch (JobRejectedException ex) {
			throw new InvalidSourceException(
					"No %s can be pulled from queue '%s': the type %s".formatted(kind.payload().getName(), kind.queue(),
							ex.reason()),
					"Name a record or class that names its type, or a Map, JsonNode or String together with the type");
		}
	}

	/**
	 * Return the types to claim, all of which are delivered at least once.
	 */
	ServedTypes served() {
		return new ServedTypes(this.byQueue, Map.of());
	}

	Object read(JobExecution execution) {
		PayloadReader reader = Objects.requireNonNull(this.readers.get(Map.entry(execution.queue(), execution.type())));
		return reader.read(execution.job().payload(), execution);
	}

	/**
	 * Thrown by a pull whose source names an invalid queue or type.
	 */
	@SuppressWarnings("serial")
	static final class InvalidSourceException extends InvalidConfigurationException {

		InvalidSourceException(String description, String action) {
			super(description + ".", action + ".");
		}

	}

}

package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.Priority;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.policy.QueueSettings;

/**
 * How queues are served.
 */
final class ConfiguredQueues {

	private static final String PREFIX = "jobqueue.queues.";

	private final ConfiguredQueue others;

	private final Map<String, ConfiguredQueue> queues = new TreeMap<>();

	private final Map<String, String> codecs = new TreeMap<>();

	ConfiguredQueues(QueueProperties defaults, Map<String, QueueProperties> queues) {
		this.others = ConfiguredQueue.ofDefaults(defaults);
		addCodec(ConfiguredQueue.DEFAULTS, defaults.codec());
		queues.forEach((name, own) -> {
			checkName(PREFIX + name, name);
			this.queues.put(name, ConfiguredQueue.of(PREFIX + name, own, defaults));
			addCodec(PREFIX + name, own.codec());
		});
	}

	private void addCodec(String prefix, @Nullable String codec) {
		if (StringUtils.hasText(codec)) {
			this.codecs.put(prefix + ".codec", codec);
		}
	}

	static void checkName(String property, String name) {
		if (!QueueNames.isValid(name)) {
			throw new InvalidSettingException(
					"The setting '%s' names queue '%s', which is not a valid queue name.".formatted(property, name),
					"Use a name that matches %s.".formatted(QueueNames.RULE));
		}
	}

	/**
	 * Return the names with settings that mean none of the known queues.
	 */
	Set<String> namesBeyond(Set<String> known) {
		Set<String> names = new TreeSet<>(this.queues.keySet());
		names.removeIf((name) -> queueMeantBy(name, known) != null);
		return names;
	}

	/**
	 * Return those of the known queues that have settings of their own.
	 */
	Set<String> namesAmong(Set<String> known) {
		return this.queues.keySet()
			.stream()
			.map((name) -> queueMeantBy(name, known))
			.filter(Objects::nonNull)
			.collect(Collectors.toSet());
	}

	/**
	 * Return the settings of queues that have some of their own, by the names there.
	 */
	Map<String, QueueSettings> own() {
		Map<String, QueueSettings> own = new TreeMap<>();
		this.queues.forEach((name, queue) -> own.put(name, queue.settings()));
		return own;
	}

	QueueSettings settings(String queue, Supplier<Set<String>> known) {
		return of(queue, known).settings();
	}

	Priority defaultPriority(String queue, Supplier<Set<String>> known) {
		return of(queue, known).priority();
	}

	/**
	 * Return the names of beans that are codecs, by the settings that give them.
	 */
	Map<String, String> codecs() {
		return this.codecs;
	}

	@Nullable String commonCodec() {
		return this.codecs.get(ConfiguredQueue.DEFAULTS + ".codec");
	}

	@Nullable String codec(String queue, Supplier<Set<String>> known) {
		return of(queue, known).codec();
	}

	@Nullable Duration keepCancelled(String queue, Supplier<Set<String>> known) {
		return of(queue, known).keepCancelled();
	}

	private ConfiguredQueue of(String queue, Supplier<Set<String>> known) {
		ConfiguredQueue own = this.queues.get(queue);
		return (own != null) ? own : ofStripped(withoutPunctuation(queue), queue, known);
	}

	/**
	 * A producer need not know the queue, nor those that have settings here.
	 */
	private ConfiguredQueue ofStripped(String name, String queue, Supplier<Set<String>> known) {
		ConfiguredQueue own = this.queues.get(name);
		if (own == null) {
			return this.others;
		}
		Set<String> candidates = new HashSet<>(this.queues.keySet());
		candidates.remove(name);
		candidates.addAll(known.get());
		candidates.add(queue);
		return queue.equals(queueMeantBy(name, candidates)) ? own : this.others;
	}

	/**
	 * Return the queue of that name, or else the only one whose name has more punctuation
	 * but is otherwise the same.
	 */
	private static @Nullable String queueMeantBy(String name, Set<String> known) {
		if (known.contains(name)) {
			return name;
		}
		List<String> alike = known.stream().filter((queue) -> withoutPunctuation(queue).equals(name)).toList();
		return (alike.size() == 1) ? alike.get(0) : null;
	}

	/**
	 * Return what Spring Boot makes of a name in an environment variable, which cannot
	 * spell more.
	 */
	private static String withoutPunctuation(String name) {
		return name.replace("-", "").replace("_", "");
	}

}

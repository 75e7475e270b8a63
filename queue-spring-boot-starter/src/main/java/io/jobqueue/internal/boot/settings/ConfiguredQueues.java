package io.jobqueue.internal.boot.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.Priority;
import io.jobqueue.internal.boot.properties.QueueProperties;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.relay.Relay;

/**
 * How queues are served.
 */
public final class ConfiguredQueues {

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
			throw new InvalidConfigurationException(
					"The setting '%s' names queue '%s', which is not a valid queue name.".formatted(property, name),
					"Use a name that matches %s.".formatted(QueueNames.RULE));
		}
	}

	/**
	 * Return the names of the queues that have settings of their own.
	 * @return the names
	 */
	public Set<String> names() {
		return this.queues.keySet();
	}

	/**
	 * Return the settings of the queues that have some of their own, by name.
	 */
	Map<String, QueueSettings> own() {
		Map<String, QueueSettings> own = new TreeMap<>();
		this.queues.forEach((name, queue) -> own.put(name, queue.settings()));
		return own;
	}

	/**
	 * Return the queues whose jobs go to a broker.
	 * @return the relays
	 */
	public List<Relay> relays() {
		List<Relay> relays = new ArrayList<>();
		this.queues.forEach((name, queue) -> {
			if (queue.relay() != null) {
				relays.add(new Relay(name, queue.relay().to(), queue.relay().topic(), queue.settings().maxRunTime()));
			}
		});
		return relays;
	}

	/**
	 * Return how a queue is served.
	 * @param queue the name of the queue
	 * @return its settings, completed by those of every queue
	 */
	public QueueSettings settings(String queue) {
		return of(queue).settings();
	}

	/**
	 * Return the priority of jobs that are enqueued without one.
	 * @param queue the name of the queue
	 * @return the priority
	 */
	public Priority defaultPriority(String queue) {
		return of(queue).priority();
	}

	/**
	 * Return the codecs that settings name.
	 * @return the names of the beans, by the key of the setting
	 */
	public Map<String, String> codecs() {
		return this.codecs;
	}

	/**
	 * Return the codec of every queue.
	 * @return the name of the bean, or {@code null} if none is set
	 */
	public @Nullable String commonCodec() {
		return this.codecs.get(ConfiguredQueue.DEFAULTS + ".codec");
	}

	/**
	 * Return the codec of a queue.
	 * @param queue the name of the queue
	 * @return the name of the bean, or {@code null} if none is set
	 */
	public @Nullable String codec(String queue) {
		return of(queue).codec();
	}

	/**
	 * Return how long the archive keeps cancelled jobs of a queue.
	 * @param queue the name of the queue
	 * @return the time, {@code null} for ever, zero for not at all
	 */
	public @Nullable Duration keepCancelled(String queue) {
		return of(queue).keepCancelled();
	}

	private ConfiguredQueue of(String queue) {
		return this.queues.getOrDefault(queue, this.others);
	}

}

package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.SupportedVersionRange;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import org.springframework.util.StringUtils;

/**
 * A share group. What is a setting of each consumer in a consumer group is one of the
 * group here, which the brokers keep.
 */
final class ShareGroup {

	private static final String OFFSET_RESET = "share.auto.offset.reset";

	private static final String ISOLATION = "share.isolation.level";

	private static final String FEATURE = "share.version";

	/**
	 * Since Kafka 4.2, a delivery to a client that dies counts, and records are renewed.
	 */
	private static final short METADATA_OF_4_2 = 28;

	private static final Duration ANSWER = Duration.ofSeconds(5);

	private static final Set<String> OF_CONSUMER_GROUPS = Set.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
			ConsumerConfig.ISOLATION_LEVEL_CONFIG, ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
			ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
			ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
			ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, ConsumerConfig.GROUP_PROTOCOL_CONFIG,
			ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

	private final ConsumedTopic topic;

	private final Map<String, Object> settings;

	private final ClusterId cluster;

	ShareGroup(ConsumedTopic topic, ConsumerSettings settings, ClusterId cluster) {
		this.topic = topic;
		this.settings = settings.properties();
		this.cluster = cluster;
	}

	/**
	 * Create a consumer for one record at a time, which acquires no further ones
	 * meanwhile.
	 * @param number the number of the consumer on this node
	 */
	ShareConsumer<byte[], byte[]> consumer(int number) {
		Map<String, Object> own = new HashMap<>(this.settings);
		own.keySet().removeAll(OF_CONSUMER_GROUPS);
		own.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
		own.put(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
		own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
		own.merge(ConsumerConfig.CLIENT_ID_CONFIG, "-" + number, (id, suffix) -> id.toString() + suffix);
		return new KafkaShareConsumer<>(own, new ByteArrayDeserializer(), this.cluster);
	}

	/**
	 * Let the group begin with the first record: it would never get those that are
	 * written before its first consumer has a partition.
	 * @throws io.jobqueue.InvalidConfigurationException if the brokers have no share
	 * groups, or refuse the settings of the group
	 * @throws KafkaException if no broker answers
	 */
	void prepare() throws InterruptedException {
		try (Admin admin = Admin.create(adminSettings())) {
			requireShareGroups(get(admin.describeFeatures().featureMetadata()));
			set(admin, Map.of(OFFSET_RESET, setting(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), ISOLATION,
					setting(ConsumerConfig.ISOLATION_LEVEL_CONFIG)));
		}
	}

	private Map<String, Object> adminSettings() {
		Map<String, Object> own = new HashMap<>(this.settings);
		own.keySet().retainAll(AdminClientConfig.configNames());
		own.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) ANSWER.toMillis());
		own.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) ANSWER.toMillis());
		return own;
	}

	private String setting(String name) {
		return Objects.requireNonNull(this.settings.get(name)).toString();
	}

	private void requireShareGroups(FeatureMetadata features) {
		SupportedVersionRange brokers = features.supportedFeatures().get("metadata.version");
		if (brokers == null || brokers.maxVersion() < METADATA_OF_4_2) {
			throw refused("'share', which needs brokers of Kafka 4.2", "Remove it, or upgrade the brokers.");
		}
		FinalizedVersionRange enabled = features.finalizedFeatures().get(FEATURE);
		if (enabled == null || enabled.maxVersionLevel() == 0) {
			throw refused("'share', but the cluster has not enabled share groups",
					"Remove it, or run 'kafka-features.sh upgrade --feature %s=1'.".formatted(FEATURE));
		}
	}

	private RuntimeException refused(String what, String remedy) {
		return ConsumedTopic.invalid(this.topic.topic(), "group-type", what, remedy);
	}

	private void set(Admin admin, Map<String, String> wanted) throws InterruptedException {
		ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, this.topic.group());
		Config current = current(admin, group);
		Collection<AlterConfigOp> changes = new ArrayList<>();
		wanted.forEach((name, value) -> {
			ConfigEntry entry = current.get(name);
			if (entry == null || !value.equals(entry.value())) {
				changes.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET));
			}
		});
		try {
			if (!changes.isEmpty()) {
				Void unused = get(admin.incrementalAlterConfigs(Map.of(group, changes)).all());
			}
		}
		catch (AuthorizationException ex) {
			throw notPermitted(wanted, ex);
		}
		catch (InvalidConfigurationException ex) {
			throw refused(
					"'share', but its group '%s' cannot have %s: %s".formatted(this.topic.group(), wanted, reason(ex)),
					"Set 'spring.kafka.consumer.auto-offset-reset' to 'earliest', 'latest' or 'by_duration:<time>', such as 'by_duration:PT1H'.");
		}
	}

	/**
	 * Return the settings of the group, none if the application must not read them.
	 */
	private static Config current(Admin admin, ConfigResource group) throws InterruptedException {
		try {
			return get(Objects.requireNonNull(admin.describeConfigs(Set.of(group)).values().get(group)));
		}
		catch (AuthorizationException ex) {
			return new Config(List.of());
		}
	}

	private RuntimeException notPermitted(Map<String, String> wanted, AuthorizationException cause) {
		return refused(
				"'share', but the settings of group '%s' cannot be set: %s".formatted(this.topic.group(),
						reason(cause)),
				"Allow the application ALTER_CONFIGS on the group, or allow it DESCRIBE_CONFIGS and run 'kafka-configs.sh --alter --group %s --add-config %s=%s,%s=%s' before."
					.formatted(this.topic.group(), OFFSET_RESET, wanted.get(OFFSET_RESET), ISOLATION,
							wanted.get(ISOLATION)));
	}

	private static String reason(KafkaException refusal) {
		return StringUtils.trimTrailingCharacter(String.valueOf(refusal.getMessage()), '.');
	}

	private static <T> T get(KafkaFuture<T> future) throws InterruptedException {
		try {
			return future.get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof KafkaException cause) ? cause : new KafkaException(ex.getCause());
		}
	}

}

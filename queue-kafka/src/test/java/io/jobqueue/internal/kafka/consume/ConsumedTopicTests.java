package io.jobqueue.internal.kafka.consume;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobHandlerRegistry;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Consume;
import io.jobqueue.internal.kafka.consume.KafkaProperties.GroupType;
import io.jobqueue.internal.kafka.consume.KafkaProperties.Mode;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.outbox.RequestReader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * What is refused at start.
 */
class ConsumedTopicTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-",
			textBlock = """
					orders      | -      | INBOX  | -          | CONSUMER | 1  | 'jobqueue.kafka.consume.orders.queue' is missing
					orders      | Orders | INBOX  | -          | CONSUMER | 1  | 'jobqueue.kafka.consume.orders.queue' is 'Orders'
					shop.orders | -      | DIRECT | -          | CONSUMER | 1  | 'jobqueue.kafka.consume.[shop.orders].queue' is missing
					orders      | orders | INBOX  | not a type | CONSUMER | 1  | .type' is 'not a type', but it must be at most 200
					orders      | orders | INBOX  | order      | CONSUMER | -1 | .dedupe-for' is 'PT-1S', which is negative
					orders      | orders | INBOX  | order      | CONSUMER | 3153600001 | .dedupe-for' is 'PT876000H1S', which is longer than 100 years
					orders      | orders | INBOX  | order      | SHARE    | 1  | .group-type' is 'share', but its mode is 'inbox'
					or ders     | orders | INBOX  | order      | CONSUMER | 1  | 'or ders', which is not a valid name of a Kafka topic
					""")
	void settingThatCannotWorkIsRefused(String topic, @Nullable String queue, @Nullable Mode mode,
			@Nullable String type, GroupType groupType, long seconds, String message) {
		Consume settings = new Consume(queue, mode, type, false, "shop", groupType, Duration.ofSeconds(seconds));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> ConsumedTopic.of(topic, settings, () -> null))
			.withMessageContaining(message);
	}

	@Test
	void groupIsThatOfTheApplicationUnlessSet() {
		assertThat(ConsumedTopic.of("orders", of("own"), () -> "shop").group()).isEqualTo("own");
		assertThat(ConsumedTopic.of("orders", of(null), () -> "shop").group()).isEqualTo("shop");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> ConsumedTopic.of("orders", of(null), () -> null))
			.withMessageContaining("'jobqueue.kafka.consume.orders.group' is missing")
			.satisfies((ex) -> assertThat(ex.action()).contains("spring.kafka.consumer.group-id"));
	}

	/**
	 * In one group, a rebalance of one topic would wait for handlers of others.
	 */
	@Test
	void topicsHaveGroupsOfTheirOwnUnlessTheApplicationHasOne() {
		assertThat(TopicConsumers.group(Map.of(), "warehouse", "orders")).isEqualTo("warehouse-orders");
		assertThat(TopicConsumers.group(Map.of("group.id", "shop"), "warehouse", "orders")).isEqualTo("shop");
		assertThat(TopicConsumers.group(Map.of("group.id", ""), "warehouse", "orders")).isEqualTo("warehouse-orders");
		assertThat(TopicConsumers.group(Map.of(), "", "orders")).isNull();
	}

	@Test
	void queueThatTakesNoHandlersIsRefused() {
		JobHandlerRegistry handlers = mock();
		willThrow(new InvalidConfigurationException("The queue has a relay.", "Remove it.")).given(handlers)
			.register(any(), any(), any());
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> new TopicConsumers(new KafkaProperties(Map.of("orders", of("shop"))),
					new DefaultKafkaConsumerFactory<>(Map.of("bootstrap.servers", "localhost:1")), null,
					mock(RequestReader.class), mock(Outbox.class), handlers, mock(DirectWorker.class)))
			.withMessageContaining("'jobqueue.kafka.consume.orders.queue' is 'orders'")
			.withMessageEndingWith("The queue has a relay. Set another queue.");
	}

	@Test
	void documentedSettingsBind() throws IOException {
		String page = Files.readString(Path.of("../docs/kafka.md"));
		String yaml = page.substring(page.lastIndexOf("```yaml") + 7,
				page.indexOf("```", page.lastIndexOf("```yaml") + 7));
		PropertySource<?> source = new YamlPropertySourceLoader()
			.load("kafka.md", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
			.get(0);
		KafkaProperties settings = new Binder(ConfigurationPropertySources.from(source))
			.bind("jobqueue.kafka", Bindable.of(KafkaProperties.class),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
			.get();
		assertThat(settings.consume())
			.containsExactly(
					entry("shop.orders",
							new Consume("orders", Mode.DIRECT, null, false, null, GroupType.CONSUMER,
									Duration.ofDays(1))),
					entry("shop.payments",
							new Consume("payments", Mode.INBOX, null, false, null, GroupType.CONSUMER,
									Duration.ofDays(1))),
					entry("shop.emails", new Consume("emails", Mode.DIRECT, null, false, "warehouse-emails",
							GroupType.SHARE, Duration.ofDays(1))));
		ConsumedTopic.checkGroups(topics(settings.consume()));
	}

	@Test
	void groupOfBothTypesIsRefused() {
		Map<String, Consume> settings = new TreeMap<>(Map.of("emails",
				new Consume("emails", Mode.DIRECT, null, false, "shop", GroupType.SHARE, Duration.ofDays(1)), "orders",
				of("shop")));
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> new TopicConsumers(new KafkaProperties(settings), null, "shop", mock(RequestReader.class),
					null, mock(JobHandlerRegistry.class), mock(DirectWorker.class)))
			.withMessageContaining("'jobqueue.kafka.consume.emails.group' is 'shop'")
			.withMessageContaining("topic 'orders'");
		settings.put("emails",
				new Consume("emails", Mode.DIRECT, null, false, "own", GroupType.SHARE, Duration.ofDays(1)));
		ConsumedTopic.checkGroups(topics(settings));
	}

	private static List<ConsumedTopic> topics(Map<String, Consume> settings) {
		return settings.entrySet()
			.stream()
			.map((each) -> ConsumedTopic.of(each.getKey(), each.getValue(), () -> "shop"))
			.toList();
	}

	private static Consume of(@Nullable String group) {
		return new Consume("orders", Mode.INBOX, null, false, group, GroupType.CONSUMER, Duration.ofDays(1));
	}

}

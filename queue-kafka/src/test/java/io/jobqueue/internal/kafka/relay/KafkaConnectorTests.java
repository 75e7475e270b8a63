package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.relay.Relay;
import io.jobqueue.internal.relay.RelayTarget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is refused at start, and the settings of the producer. Nothing connects.
 */
class KafkaConnectorTests {

	private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

	private final Map<String, Object> application = new HashMap<>(Map.of("bootstrap.servers", "localhost:1"));

	private Duration maxRunTime = Duration.ofMinutes(30);

	@ParameterizedTest
	@ValueSource(strings = { "or ders", "bestellungen-für-alle", "..", ".", "a/b" })
	void invalidTopicIsRefused(String topic) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> connector().connect(new Relay("orders", "kafka", topic, this.maxRunTime)))
			.withMessageContaining("'jobqueue.queues.orders.relay.topic' is '%s'".formatted(topic))
			.satisfies((ex) -> assertThat(ex.action()).contains("249 letters"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders", "shop.Orders_v2", "...", "o-1" })
	void validTopicIsAccepted(String topic) {
		this.beans.addBean("factory", factory());
		assertThat(connector().connect(new Relay("orders", "kafka", topic, this.maxRunTime)).capacity()).isZero();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			acks | 1 | 'acks' of the application, such as 'spring.kafka.producer.acks', is '1'
			acks | 0 | is '0', but queue 'orders' is relayed
			enable.idempotence | false | such as 'spring.kafka.producer.properties.enable.idempotence', is 'false'
			retries | 0 | 'spring.kafka.producer.retries', is '0'
			max.in.flight.requests.per.connection | 6 | is '6'
			linger.ms | soon | cannot use the application's producer settings: Invalid value soon
			""")
	void settingThatContradictsThePromiseIsRefused(String property, String value, String message) {
		this.application.put(property, value);
		this.beans.addBean("factory", factory());
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(this::connect)
			.withMessageContaining(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "all", "-1" })
	void allAcknowledgementsAreAccepted(String acks) {
		this.application.put("acks", acks);
		assertThat(settings()).containsEntry("acks", "all").containsEntry("enable.idempotence", true);
	}

	@Test
	void leaseThatIsShorterThanARequestIsRefused() {
		this.maxRunTime = Duration.ofSeconds(10);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(this::settings)
			.withMessageContaining("The maximum run time of queue 'orders' is 10000 ms")
			.withMessageContaining("Raise 'jobqueue.queues.orders.max-run-time'");
	}

	@Test
	void producerGivesUpBeforeTheLeaseEnds() {
		this.maxRunTime = Duration.ofSeconds(40);
		assertThat(settings()).containsEntry("delivery.timeout.ms", 40_000);
		this.maxRunTime = Duration.ofMinutes(30);
		assertThat(settings()).containsEntry("delivery.timeout.ms", 120_000);
	}

	@Test
	void producerIsOneOfItsOwn() {
		this.application.putAll(Map.of("transactional.id", "tx-", "client.id", "shop", "compression.type", "zstd",
				"max.block.ms", 60_000));
		assertThat(settings()).doesNotContainKey("transactional.id")
			.containsEntry("client.id", "shop-relay-orders")
			.containsEntry("compression.type", "zstd")
			.containsEntry("max.block.ms", 2_000L);
	}

	@Test
	void factoryIsRequired() {
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(this::connect)
			.withMessageContaining("has no ProducerFactory and no KafkaTemplate")
			.satisfies((ex) -> assertThat(ex.action()).contains("spring-boot-starter-kafka"));
	}

	@Test
	void oneOfSeveralFactoriesHasToBePrimary() {
		this.beans.addBean("one", factory());
		this.beans.addBean("other", factory());
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(this::connect)
			.withMessageContaining("has 2 producer factories");
	}

	@Test
	void factoryOfATemplateIsEnough() {
		this.beans.addBean("template", new KafkaTemplate<>(factory()));
		connect();
	}

	@Test
	void producerThatIsCreatedWhileItsRelayStopsIsClosed() throws InterruptedException {
		CountDownLatch creating = new CountDownLatch(1);
		List<String> events = new CopyOnWriteArrayList<>();
		DefaultKafkaProducerFactory<String, String> factory = factory();
		factory.addListener(new ProducerFactory.Listener<>() {

			@Override
			public void producerAdded(String id, Producer<String, String> producer) {
				events.add("added");
				creating.countDown();
				awaitInterrupt();
			}

			@Override
			public void producerRemoved(String id, Producer<String, String> producer) {
				events.add("removed");
			}

		});
		this.beans.addBean("factory", factory);
		RelayTarget target = connector().connect(new Relay("orders", "kafka", "orders", this.maxRunTime));
		target.start(() -> {
		});
		creating.await();
		target.stop(Duration.ZERO);
		assertThat(events).containsExactly("added", "removed");
	}

	private static void awaitInterrupt() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private Map<String, Object> settings() {
		return ProducerSettings.of(this.application, new Relay("orders", "kafka", "orders", this.maxRunTime))
			.properties();
	}

	private void connect() {
		connector().connect(new Relay("orders", "kafka", "orders", this.maxRunTime));
	}

	private DefaultKafkaProducerFactory<String, String> factory() {
		return new DefaultKafkaProducerFactory<>(this.application);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private KafkaConnector connector() {
		return new KafkaConnector((ObjectProvider) this.beans.getBeanProvider(ProducerFactory.class),
				(ObjectProvider) this.beans.getBeanProvider(KafkaTemplate.class));
	}

}

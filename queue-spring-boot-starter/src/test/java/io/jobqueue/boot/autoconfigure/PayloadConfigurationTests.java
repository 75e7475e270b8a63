package io.jobqueue.boot.autoconfigure;

import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jackson.JacksonMixin;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import io.jobqueue.JobJsonMapperCustomizer;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.settings.BoundSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which of the application's JSON settings and beans apply to payloads.
 */
class PayloadConfigurationTests {

	private static final Digest DIGEST = new Digest("", List.of(), Map.of(DayOfWeek.MONDAY, ""), Optional.of(""), 7L, 0,
			false, null, Date.from(Instant.parse("2026-11-27T08:41:28.006Z")),
			ZonedDateTime.parse("2026-03-01T08:00:00+09:00[Asia/Tokyo]"),
			OffsetDateTime.parse("2026-01-01T00:00:00+05:30"), new BigDecimal("1.10"), Duration.ofMillis(1500),
			Map.of("net", new BigDecimal("2.00"), "none", 0), Level.HIGH);

	private static final String JSON = """
			{"title":"","tags":[],"counts":{"MONDAY":""},"note":"","customerId":7,"items":0,"paid":false,"missing":null,\
			"at":"2026-11-27T08:41:28.006Z","zoned":"2026-03-01T08:00:00+09:00[Asia/Tokyo]",\
			"offset":"2026-01-01T00:00:00+05:30","amount":1.10,"took":"PT1.5S","more":%s,"level":"HIGH"}""";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
		.withUserConfiguration(PayloadConfiguration.class, Settings.class);

	private final ApplicationContextRunner snakes = this.application
		.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE");

	@ParameterizedTest
	@ValueSource(strings = {
			"default-property-inclusion=non_empty property-naming-strategy=SNAKE_CASE date-format=yyyy-MM-dd"
					+ " visibility.field=none default-leniency=false mapper.use-annotations=false",
			"default-property-inclusion=non_default property-naming-strategy=UPPER_CAMEL_CASE visibility.getter=none"
					+ " deserialization.unwrap-root-value=true time-zone=Asia/Tokyo"
					+ " datatype.enum.write-enums-using-index=true",
			"use-jackson2-defaults=true serialization.wrap-root-value=true constructor-detector=explicit_only"
					+ " datatype.datetime.write-dates-as-timestamps=true"
					+ " datatype.datetime.write-durations-as-timestamps=true"
					+ " deserialization.fail-on-unknown-properties=true json.write.write-numbers-as-strings=true" })
	void settingsOfTheApplicationDoNotApply(String settings) {
		this.application.withPropertyValues(jackson(settings)).run((context) -> {
			PayloadCodec codec = codec(context);
			String json = text(codec, DIGEST);
			assertThat(json).isIn(JSON.formatted("{\"net\":2.00,\"none\":0}"),
					JSON.formatted("{\"none\":0,\"net\":2.00}"));
			assertThat(codec.decode(Encoded.ofText(json), Digest.class)).isEqualTo(DIGEST);
			Open open = (Open) codec.decode(codec.encode(new Open("x")), Open.class);
			assertThat(open.text).isEqualTo("x");
		});
	}

	@Test
	void furtherMappersDoNotApply() {
		JsonMapper pascal = JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
			.build();
		this.snakes.withBean("second", JsonMapper.class, () -> pascal)
			.run((context) -> assertThat(text(codec(context), new Bill(1))).isEqualTo("{\"customerId\":1}"));
		this.snakes.withBean("second", JsonMapper.class, () -> pascal, (bean) -> bean.setPrimary(true))
			.run((context) -> assertThat(text(codec(context), new Bill(1))).isEqualTo("{\"customerId\":1}"));
		this.snakes
			.withBean("second", JsonMapper.class, () -> pascal,
					(bean) -> ((AbstractBeanDefinition) bean).setDefaultCandidate(false))
			.run((context) -> assertThat(text(codec(context), new Bill(1))).isEqualTo("{\"customerId\":1}"));
	}

	@Test
	void customizersOfTheApplicationChangeNeitherNamesNorValues() {
		ApplicationContextRunner customized = this.application.withBean(JsonMapperBuilderCustomizer.class,
				() -> (json) -> json.propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
					.changeDefaultPropertyInclusion(
							(inclusion) -> inclusion.withValueInclusion(JsonInclude.Include.NON_EMPTY))
					.changeDefaultVisibility(
							(visibility) -> visibility.withGetterVisibility(JsonAutoDetect.Visibility.NONE))
					.defaultDateFormat(new SimpleDateFormat("yyyy-MM-dd"))
					.enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
					.addMixIn(Bill.class, Abbreviated.class));
		customized.run((context) -> {
			PayloadCodec codec = codec(context);
			assertThat(codec.decode(codec.encode(DIGEST), Digest.class)).isEqualTo(DIGEST);
			assertThat(text(codec, new Due(Date.from(Instant.EPOCH), "")))
				.isEqualTo("{\"dueAt\":\"1970-01-01T00:00:00.000Z\",\"note\":\"\"}");
			assertThat(text(codec, new Bill(1))).isEqualTo("{\"c\":1}");
		});
		customized
			.withBean(JobJsonMapperCustomizer.class,
					() -> (json) -> json.propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE))
			.run((context) -> assertThat(text(codec(context), new Due(Date.from(Instant.EPOCH), "x")))
				.contains("\"DueAt\":"));
	}

	@Test
	void modulesAndMixinsOfTheApplicationApply() {
		SimpleModule module = new SimpleModule("short").setMixInAnnotation(Bill.class, Abbreviated.class);
		this.application.withBean(SimpleModule.class, () -> module)
			.run((context) -> assertThat(text(codec(context), new Bill(1))).isEqualTo("{\"c\":1}"));
		this.application
			.withInitializer((context) -> AutoConfigurationPackages.register((GenericApplicationContext) context,
					getClass().getPackageName()))
			.run((context) -> assertThat(text(codec(context), new Mixed(1))).isEqualTo("{\"mixed-in\":1}"));
	}

	@Test
	void mapperOfTheApplicationAppliesIfItIsChosen() {
		this.snakes.withPropertyValues("jobqueue.payload.json=application").run((context) -> {
			assertThat(text(codec(context), new Bill(1))).isEqualTo("{\"customer_id\":1}");
			assertThat(codec(context).decode(Encoded.ofText("{\"customer_id\":2,\"unknown\":3}"), Bill.class))
				.isEqualTo(new Bill(2));
		});
		this.snakes.withPropertyValues("jobqueue.payload.json=application")
			.withBean(JobJsonMapperCustomizer.class,
					() -> (json) -> json.propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE))
			.run((context) -> assertThat(text(codec(context), new Bill(1))).isEqualTo("{\"CustomerId\":1}"));
	}

	@Test
	void chosenMapperMustBeUnique() {
		this.application.withPropertyValues("jobqueue.payload.json=application")
			.withBean("first", JsonMapper.class, JsonMapper::new)
			.withBean("second", JsonMapper.class, JsonMapper::new)
			.run((context) -> assertRefused(BoundSettings.analyze(context.getStartupFailure()),
					"has no JsonMapper bean, or several of which none is primary", "@Primary"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "deserialization.unwrap-root-value=true", "visibility.getter=none visibility.field=none" })
	void chosenMapperMustReadWhatItWrites(String settings) {
		this.application.withPropertyValues(jackson(settings))
			.withPropertyValues("jobqueue.payload.json=application")
			.run((context) -> assertRefused(BoundSettings.analyze(context.getStartupFailure()),
					"does not read a record that it wrote", "'spring.jackson'"));
	}

	private static String[] jackson(String settings) {
		return Stream.of(settings.split(" ")).map("spring.jackson."::concat).toArray(String[]::new);
	}

	private static void assertRefused(FailureAnalysis analysis, String reason, String remedy) {
		assertThat(analysis.getDescription()).startsWith("'jobqueue.payload.json' is 'application'").contains(reason);
		assertThat(analysis.getAction()).contains("'jobqueue.payload.json' to 'own'", remedy);
	}

	private static PayloadCodec codec(ApplicationContext context) {
		return context.getBean(ConfiguredCodecs.JSON, PayloadCodec.class);
	}

	private static String text(PayloadCodec codec, Object payload) {
		return String.valueOf(codec.encode(payload).text());
	}

	@EnableConfigurationProperties(JobQueueProperties.class)
	static class Settings {

	}

	enum Level {

		LOW, HIGH;

		@Override
		public String toString() {
			return "a level";
		}

	}

	record Digest(String title, List<String> tags, Map<DayOfWeek, String> counts, Optional<String> note,
			Long customerId, int items, boolean paid, String missing, Date at, ZonedDateTime zoned,
			OffsetDateTime offset, BigDecimal amount, Duration took, Map<String, Object> more, Level level) {
	}

	record Bill(long customerId) {
	}

	record Due(Date dueAt, String note) {
	}

	record Abbreviated(@JsonProperty("c") long customerId) {
	}

	record Mixed(long id) {
	}

	@JacksonMixin(Mixed.class)
	record Mixin(@JsonProperty("mixed-in") long id) {
	}

	static final class Open {

		public String text = "";

		Open() {
		}

		Open(String text) {
			this.text = text;
		}

	}

}

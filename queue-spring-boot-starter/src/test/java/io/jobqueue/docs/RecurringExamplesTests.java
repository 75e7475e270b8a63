package io.jobqueue.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobHandler;
import io.jobqueue.JobRejectedException;
import io.jobqueue.JobType;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobs;
import io.jobqueue.docs.Documentation.Block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The examples of recurring jobs.
 */
class RecurringExamplesTests extends ExampleTestBase {

	@Test
	void annotatedMethodRuns() {
		runSchedules((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			assertThat(jobs.find("purge-carts").orElseThrow().nextAt().atZone(ZoneId.of("Europe/Berlin")).toLocalTime())
				.isEqualTo("03:00");
			jobs.trigger("purge-carts");
			await(() -> assertThat(carts(context)).isZero());
		});
	}

	@Test
	void methodReceivesTheTimeOfItsTick() {
		runSchedules((context) -> {
			Instant before = Instant.now().minusSeconds(60);
			context.getBean(RecurringJobs.class).trigger("import-rates");
			await(() -> assertThat(context.getBean(Housekeeping.class).importedUntil()).isAfter(before));
		});
	}

	@Test
	void tenantAndItsScheduleCommitTogether() {
		runSchedules((context) -> {
			Subscriptions subscriptions = context.getBean(Subscriptions.class);
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			subscriptions.subscribe(42, ZoneId.of("Asia/Tokyo"));
			assertThat(jobs.find("digest-42")).map(RecurringJobInfo::zone).contains(ZoneId.of("Asia/Tokyo"));
			jobs.trigger("digest-42");
			await(() -> assertThat(subscriptions.digested()).containsExactly(42L));
			subscriptions.printSkipped();
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> subscriptions.subscribe(43, null));
			assertThat(tenants(context)).isOne();
			subscriptions.unsubscribe(42);
			assertThat(jobs.find("digest-42")).isEmpty();
		});
	}

	@Test
	void scheduleOfASettingEnqueuesForAHandler() {
		runSchedules((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			assertThat(jobs.find("digest-of-all")).hasValueSatisfying((schedule) -> {
				assertThat(schedule.declared()).isTrue();
				assertThat(schedule.queue()).isEqualTo("emails");
			});
			jobs.trigger("digest-of-all");
			await(() -> assertThat(context.getBean(Subscriptions.class).digested()).containsExactly(0L));
		});
	}

	@Test
	void payloadOfASettingHasListsAndNestedProperties() {
		this.contextRunner.withBean(Exporter.class)
			.withPropertyValues("jobqueue.recurring.export.type=export", "jobqueue.recurring.export.fixed-rate=1d",
					"jobqueue.recurring.export.payload.columns[0].name=id",
					"jobqueue.recurring.export.payload.columns[1].name=createdAt",
					"jobqueue.recurring.export.payload.limits.0=ten", "jobqueue.recurring.export.payload.limits.7=all")
			.run((context) -> {
				context.getBean(RecurringJobs.class).trigger("export");
				Export expected = new Export(List.of(new Column("id"), new Column("createdAt")),
						Map.of("0", "ten", "7", "all"));
				await(() -> assertThat(context.getBean(Exporter.class).exported).isEqualTo(expected));
			});
	}

	private void runSchedules(ContextConsumer<AssertableApplicationContext> example) {
		documented(this.contextRunner).withUserConfiguration(Housekeeping.class, Subscriptions.class).run((context) -> {
			context.getBean(JdbcClient.class).sql("""
					DROP TABLE IF EXISTS cart, tenant;
					CREATE TABLE tenant (id bigint PRIMARY KEY);
					CREATE TABLE cart (changed_at timestamptz NOT NULL);
					INSERT INTO cart VALUES ('2026-01-01Z')
					""").update();
			example.accept(context);
		});
	}

	/**
	 * The settings that the page shows.
	 */
	private static ApplicationContextRunner documented(ApplicationContextRunner runner) {
		return runner
			.withInitializer((context) -> settings().forEach(context.getEnvironment().getPropertySources()::addLast));
	}

	private static List<PropertySource<?>> settings() {
		try {
			Block block = Documentation.blocks("yaml")
				.stream()
				.filter((each) -> each.page().equals("recurring.md"))
				.findFirst()
				.orElseThrow();
			return new YamlPropertySourceLoader().load("recurring.md",
					new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A payload with a list and a map.
	 */
	@JobType("export")
	record Export(List<Column> columns, Map<String, String> limits) {
	}

	/**
	 * An element of a payload.
	 */
	record Column(String name) {
	}

	/**
	 * Handles exports.
	 */
	static class Exporter {

		private volatile Export exported;

		@JobHandler(queue = "exports")
		void export(Export export) {
			this.exported = export;
		}

	}

	private static long carts(AssertableApplicationContext context) {
		return count(context, "cart");
	}

	private static long tenants(AssertableApplicationContext context) {
		return count(context, "tenant");
	}

	private static long count(AssertableApplicationContext context, String table) {
		return context.getBean(JdbcClient.class).sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

}

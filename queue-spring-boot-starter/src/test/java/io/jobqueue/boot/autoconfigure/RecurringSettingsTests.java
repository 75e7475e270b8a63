package io.jobqueue.boot.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.StringUtils;

import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Schedules under {@code jobqueue.recurring}.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow") // starts many applications
class RecurringSettingsTests extends QueueTestBase {

	private static final String YEARLY = "0 0 0 1 1 *";

	private final ApplicationContextRunner application = this.contextRunner.withBean(Reports.class);

	private static ApplicationContextRunner yaml(ApplicationContextRunner application, String yaml) {
		return application.withInitializer((context) -> add(context, yaml));
	}

	private static void add(ConfigurableApplicationContext context, String yaml) {
		try {
			new YamlPropertySourceLoader()
				.load("application.yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
				.forEach(context.getEnvironment().getPropertySources()::addLast);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The names are those of the class, as in all payloads.
	 */
	@Test
	void payloadIsThatOfTheSettings() {
		yaml(this.application, """
				spring.jackson: { property-naming-strategy: UPPER_CAMEL_CASE, default-property-inclusion: non_default }
				jobqueue:
				  recurring:
				    sales:
				      fixed-rate: 1s
				      type: report
				      payload:
				        title: Sales
				        days: 30
				        recipients: [ ann@example.com, bob@example.com ]
				        columns:
				          - { name: net, width: 12 }
				          - { name: gross, width: 8 }
				        options: { locale: de, paper: A4 }
				""").run((context) -> {
			Report report = context.getBean(Reports.class).received.poll(30, TimeUnit.SECONDS);
			assertThat(report).isEqualTo(new Report("Sales", 30, List.of("ann@example.com", "bob@example.com"),
					List.of(new Column("net", 12), new Column("gross", 8)), Map.of("locale", "de", "paper", "A4")));
		});
	}

	@Test
	void payloadMayBeEmpty() {
		yaml(this.application, """
				jobqueue.recurring.sales: { cron: 0 0 3 * * *, type: report, payload: {} }
				""").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void scheduleIsAsConfigured() {
		yaml(this.application, """
				jobqueue:
				  recurring-zone: Asia/Tokyo
				  recurring:
				    daily: { cron: 0 0 3 * * *, type: report }
				    "[shop.weekly]":
				      cron: 0 0 3 * * MON
				      zone: Europe/Berlin
				      queue: reports
				      type: report
				      misfire: all
				      overlap: allow
				      jitter: 30s
				    often: { fixed-rate: 15m, type: report }
				""").run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			assertThat(jobs.find("daily")).hasValueSatisfying((daily) -> {
				assertThat(daily).extracting(RecurringJobInfo::queue, RecurringJobInfo::type, RecurringJobInfo::zone)
					.containsExactly("reports", "report", ZoneId.of("Asia/Tokyo"));
				assertThat(daily).extracting(RecurringJobInfo::misfire, RecurringJobInfo::overlap)
					.containsExactly(Misfire.ONCE, Overlap.SKIP);
				assertThat(daily.declared()).isTrue();
			});
			assertThat(jobs.find("shop.weekly")).hasValueSatisfying((weekly) -> {
				assertThat(weekly).extracting(RecurringJobInfo::cron, RecurringJobInfo::zone)
					.containsExactly("0 0 3 * * MON", ZoneId.of("Europe/Berlin"));
				assertThat(weekly)
					.extracting(RecurringJobInfo::misfire, RecurringJobInfo::overlap, RecurringJobInfo::jitter)
					.containsExactly(Misfire.ALL, Overlap.ALLOW, Duration.ofSeconds(30));
			});
			assertThat(jobs.find("often").orElseThrow()).extracting(RecurringJobInfo::fixedRate, RecurringJobInfo::zone)
				.containsExactly(Duration.ofMinutes(15), null);
		});
	}

	@Test
	void zoneIsUtcByDefaultAndAlsoThatOfAnnotations() {
		this.application.withBean(Nightly.class)
			.run((context) -> assertThat(zoneOf(context, "nightly")).isEqualTo(ZoneId.of("UTC")));
		this.application.withBean(Nightly.class)
			.withPropertyValues("jobqueue.recurring-zone=Asia/Tokyo")
			.run((context) -> assertThat(zoneOf(context, "nightly")).isEqualTo(ZoneId.of("Asia/Tokyo")));
	}

	private static ZoneId zoneOf(ConfigurableApplicationContext context, String name) {
		return context.getBean(RecurringJobs.class).find(name).orElseThrow().zone();
	}

	@ParameterizedTest
	@CsvSource({ "cron=-", "enabled=false" })
	void scheduleIsSwitchedOff(String setting) {
		this.application
			.withPropertyValues("jobqueue.recurring.sales.type=report",
					setting.startsWith("cron") ? "a=b" : "jobqueue.recurring.sales.cron=" + YEARLY,
					"jobqueue.recurring.sales." + setting)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(RecurringJobs.class).find("sales")).isEmpty();
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					cron=0 0 25 * * *              | 'jobqueue.recurring.sales', is invalid: its 'cron' is '0 0 25 * * *': field 3 (hour) cannot be '25' | Correct its declaration.
					cron=0 0 3 * *                 | 'jobqueue.recurring.sales', is invalid: its 'cron' is '0 0 3 * *': it has 5 fields instead of 6 (second, minute | Correct its declaration.
					cron=0 0 0 31 2 *              | 'jobqueue.recurring.sales', is invalid: its 'cron' is '0 0 0 31 2 *', which never fires | Correct its declaration.
					cron=                          | 'jobqueue.recurring.sales', is invalid: its 'cron' is missing: set a cron expression or a fixed rate | Correct its declaration.
					fixed-rate=999ms               | 'jobqueue.recurring.sales', is invalid: its 'fixedRate' must be between 1 s and 100 years, but is 999 ms | Correct its declaration.
					fixed-rate=1m,zone=UTC         | 'jobqueue.recurring.sales', is invalid: its 'zone' has no effect on a fixed rate, which counts absolutely: remove it | Correct its declaration.
					fixed-rate=1m,cron=0 0 3 * * * | 'jobqueue.recurring.sales', is invalid: its 'cron' and a fixed rate are set: remove one of them | Correct its declaration.
					jitter=1s                      | 'jobqueue.recurring.sales', is invalid: its 'cron' is missing: set a cron expression or a fixed rate | Correct its declaration.
					fixed-rate=1m,jitter=-1s       | 'jobqueue.recurring.sales', is invalid: its 'jitter' must be between 0 and 100 years | Correct its declaration.
					fixed-rate=30                  | 'jobqueue.recurring.sales.fixed-rate: 30' is 30 ms | Write '30s' for seconds
					fixed-rate=1m,jitter=5         | 'jobqueue.recurring.sales.jitter: 5' is 5 ms | Write '5s' for seconds
					fixed-rate=1m,type=            | The schedule 'jobqueue.recurring.sales' has no type. | Set 'jobqueue.recurring.sales.type'.
					fixed-rate=1m,type=raport      | of type 'raport', which no handler of this application handles. The nearest type is 'report' in queue 'reports'. | Correct the type.
					fixed-rate=1m,queue=report     | of type 'report' in queue 'report', which no handler of this application handles. The nearest queue of this type is 'reports'. | Correct the queue.
					fixed-rate=1m,payload.titel=x  | The setting 'jobqueue.recurring.sales.payload.titel' is no property of its class. The nearest one is 'title'. | 'title'
					fixed-rate=1m,payload.days=many | The setting 'jobqueue.recurring.sales.payload.days' does not fit its class | Correct it
					fixed-rate=1m,payload.columns[0].name=net | The setting 'jobqueue.recurring.sales.payload.columns[0].width' is missing, and its class needs it. | Set it.
					fixed-rate=1m,payload.columns[0].widht=1 | The setting 'jobqueue.recurring.sales.payload.columns[0].widht' is no property of its class. The nearest one is 'width'. | 'width'
					fixed-rate=1m,payload.columns[0].width=1,payload.columns[0].size=1 | The setting 'jobqueue.recurring.sales.payload.columns[0].size' is no property of its class | 'width'
					fixed-rate=1m,intervall=1m     | There is no setting 'jobqueue.recurring.sales.intervall' | Correct or remove the key.
					""")
	void mistakeIsNamedWithItsRemedy(String settings, String description, String action) {
		FailureAnalysis analysis = analyze(failure(StringUtils.commaDelimitedListToStringArray(settings)));
		assertThat(analysis.getDescription()).contains(description);
		assertThat(analysis.getAction()).contains(action);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					recurring-zone=CEST5          | The setting 'jobqueue.recurring-zone' is 'CEST5', which is not a time zone | Use the name of a zone, such as Europe/Berlin or UTC.
					recurring.sales.misfire=often | The setting 'jobqueue.recurring.sales.misfire' is 'often', which is none of its values | Set one of: once, skip, all.
					recurring.zone=Europe/Berlin  | 'jobqueue.recurring.zone' has a value, but it is a group of settings | Did you mean 'jobqueue.recurring-zone'?
					""")
	void valueThatIsNoneIsExplained(String setting, String description, String action) {
		this.application.withPropertyValues("jobqueue." + setting).run((context) -> {
			FailureAnalysis analysis = analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).startsWith(description);
			assertThat(analysis.getAction()).endsWith(action);
		});
	}

	@ParameterizedTest
	@CsvSource({ "type=invoice", "queue=elsewhere" })
	void scheduleOfATypeThatOtherNodesHandleIsLeftToThem(String setting, CapturedOutput output) {
		String warning = "The schedule 'jobqueue.recurring.sales' enqueues jobs of type";
		ApplicationContextRunner runner = this.application.withPropertyValues("jobqueue.recurring.sales.type=report",
				"jobqueue.recurring.sales.fixed-rate=1h", "jobqueue.recurring.sales." + setting);
		runner.withPropertyValues("jobqueue.worker.enabled=false").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(warning);
		runner.run((context) -> assertThat(context.getBean(RecurringJobs.class).find("sales")).isEmpty());
		assertThat(output).contains(warning)
			.contains("which no handler of this application handles: this node does not declare it");
	}

	@Test
	void saveOfATypeWithoutAHandlerWarnsOnce(CapturedOutput output) {
		this.application.run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			for (String name : List.of("a", "b")) {
				jobs.save(RecurringJobRequest.of(name, JobRequest.of("reports", "x").type("reprot")).cron(YEARLY));
			}
			jobs.save(RecurringJobRequest.of("c", JobRequest.of("raports", "x").type("invoice")).cron(YEARLY));
			jobs.save(RecurringJobRequest.of("d", JobRequest.of("reports", "x").type("invoice")).cron(YEARLY));
			await().until(() -> output.getOut().contains("Queue 'raports' has no handler, setting or active worker"));
		});
		assertThat(output).containsOnlyOnce("A schedule is saved for jobs of type 'reprot' in queue 'reports'")
			.contains("the nearest one is 'report'")
			.contains("do not take that type; no type that they take is similar");
	}

	@ParameterizedTest
	@CsvSource({ "zone=Europe/Berln,Unknown time-zone ID: Europe/Berln", "misfire=often,Misfire",
			"enabled=maybe,maybe" })
	void valueThatIsNoneIsNamedWithItsKey(String setting, String reason) {
		Throwable failure = failure("cron=" + YEARLY, setting);
		assertThat(failure)
			.hasStackTraceContaining("'jobqueue.recurring.sales." + setting.substring(0, setting.indexOf('=')) + "'")
			.hasStackTraceContaining(reason);
	}

	private Throwable failure(String... settings) {
		Throwable[] failure = new Throwable[1];
		ApplicationContextRunner runner = this.application.withPropertyValues("jobqueue.recurring.sales.type=report");
		for (String setting : settings) {
			runner = runner.withPropertyValues("jobqueue.recurring.sales." + setting);
		}
		runner.run((context) -> failure[0] = context.getStartupFailure());
		return failure[0];
	}

	@Test
	void nameOfAnAnnotationIsTaken() {
		this.application.withBean(Nightly.class)
			.withPropertyValues("jobqueue.recurring.nightly.cron=" + YEARLY, "jobqueue.recurring.nightly.type=report")
			.run((context) -> {
				FailureAnalysis analysis = analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("The schedule 'nightly' is declared twice",
						"'jobqueue.recurring.nightly'", "Nightly.run (bean '");
				assertThat(analysis.getAction()).isEqualTo("Give one of them another name.");
			});
	}

	@Test
	void mistakesAreNamedWithoutAWorkerToo() {
		this.application
			.withPropertyValues("jobqueue.worker.enabled=false", "jobqueue.recurring.sales.type=report",
					"jobqueue.recurring.sales.cron=never")
			.run((context) -> assertThat(analyze(context.getStartupFailure()).getDescription())
				.contains("'jobqueue.recurring.sales'"));
	}

	@JobType("report")
	record Report(String title, Integer days, List<String> recipients, List<Column> columns,
			Map<String, String> options) {
	}

	record Column(String name, int width) {
	}

	/**
	 * Remembers the reports that it was asked for.
	 */
	static class Reports {

		private final BlockingQueue<Report> received = new LinkedBlockingQueue<>();

		@JobHandler(queue = "reports")
		void handle(Report report) {
			this.received.add(report);
		}

	}

	static class Nightly {

		@RecurringJob(name = "nightly", cron = YEARLY)
		void run() {
		}

	}

}

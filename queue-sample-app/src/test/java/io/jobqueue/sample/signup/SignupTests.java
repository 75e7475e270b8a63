package io.jobqueue.sample.signup;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.StepState;
import io.jobqueue.WorkflowInfo.StepInfo;
import io.jobqueue.Workflows;
import io.jobqueue.sample.SampleClient;
import io.jobqueue.test.CrashPoint;
import io.jobqueue.test.TestJobs;

import static io.jobqueue.test.JobAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willThrow;

/**
 * Tests for the way of a signup.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@DirtiesContext
class SignupTests {

	@TempDir
	private static Path dataFolder;

	@LocalServerPort
	private int port;

	@Autowired
	private TestJobs jobs;

	@Autowired
	private Signups signups;

	@Autowired
	private TransactionTemplate transaction;

	@Autowired
	private JdbcClient jdbc;

	@MockitoSpyBean
	private Workflows workflows;

	private SampleClient client;

	@DynamicPropertySource
	static void useTemporaryFolder(DynamicPropertyRegistry registry) {
		registry.add("sample.data-folder", () -> dataFolder);
	}

	@BeforeEach
	void begin() {
		this.jobs.deleteAll();
		this.client = new SampleClient(this.port);
	}

	@Test
	void dashboardIsOpenToThisMachine() {
		ResponseEntity<String> page = this.client.page("/jobqueue");
		assertThat(page.getStatusCode()).isEqualTo(HttpStatus.OK);
		assertThat(page.getBody()).contains("Job queue</title>");
	}

	@Test
	void isMailedALinkThatVerifies() throws Exception {
		long id = this.client.signUp("Ada", "ada@example.org");
		assertThat(this.jobs).enqueued(ConfirmationEmail.class).withPayload(new ConfirmationEmail(id)).once();
		this.jobs.runAll();
		assertThat(this.client.status(id)).isEqualTo("MAILED");
		assertThat(this.client.page(this.client.mailedLink(id)).getBody()).contains("Welcome, Ada");
		assertThat(this.client.status(id)).isEqualTo("VERIFIED");
		this.jobs.runAll();
		assertThat(mails(id)).contains("Welcome", "your address is confirmed").doesNotContain("Reminder");
		assertThat(steps(id)).containsEntry("remind", StepState.SKIPPED).containsEntry("welcome", StepState.SUCCEEDED);
	}

	@Test
	void isRemindedIfTheLinkIsNotFollowed() throws Exception {
		long id = this.client.signUp("Ada", "ada@example.org");
		this.jobs.runAll();
		assertThat(mails(id)).contains("Please confirm").doesNotContain("Reminder");
		this.jobs.advance(Duration.ofMinutes(1));
		this.jobs.runAll();
		assertThat(mails(id)).contains("Reminder: please confirm").doesNotContain("was sent again");
		this.client.page(this.client.mailedLink(id));
		this.jobs.runAll();
		assertThat(mails(id)).contains("your address is confirmed");
		assertThat(steps(id).values()).containsOnly(StepState.SUCCEEDED);
	}

	@Test
	void isNeitherRemindedAgainNorWelcomedWithoutTheLink() throws Exception {
		long id = this.client.signUp("Ada", "ada@example.org");
		for (int minute = 0; minute < 3; minute++) {
			this.jobs.runAll();
			this.jobs.advance(Duration.ofMinutes(1));
		}
		assertThat(steps(id)).containsEntry("welcome", StepState.SKIPPED);
		assertThat(mails(id).split("Reminder")).hasSize(2);
	}

	@Test
	void isDrawnByTheDashboard() {
		long id = this.client.signUp("Ada", "ada@example.org");
		assertThat(this.client.page("/jobqueue/workflows/" + workflow(id)).getBody()).contains("<svg", "checkAgain",
				"class=\"node node-ready");
	}

	private String mails(long id) {
		return String.valueOf(this.client.page("/mails/" + id).getBody());
	}

	private UUID workflow(long id) {
		return UUID.fromString((String) this.client.get("/signups/" + id).getBody().get("workflow"));
	}

	private Map<String, StepState> steps(long id) {
		return this.workflows.find(workflow(id))
			.orElseThrow()
			.steps()
			.stream()
			.collect(Collectors.toMap(StepInfo::name, StepInfo::state));
	}

	@Test
	void isMailedOnceEvenIfItsJobRunsTwice() throws Exception {
		long id = this.client.signUp("Ada", "ada@example.org");
		this.jobs.crashAt(CrashPoint.AFTER_HANDLER, "emails");
		assertThat(this.client.status(id)).isEqualTo("MAILED");
		String link = this.client.mailedLink(id);
		assertThat(this.jobs.runNext("emails").attempt()).isEqualTo(2);
		assertThat(this.client.mailedLink(id)).isEqualTo(link);
	}

	@Test
	void isListedInOneDigest() throws Exception {
		this.client.signUp("Ada", "ada@example.org");
		assertThat(digestAfter(this.client.signUp("Grace", "grace@example.org"))).contains("Ada, ada@example.org",
				"Grace, grace@example.org");
		assertThat(digestAfter(this.client.signUp("Jean", "jean@example.org"))).contains("New signups: 1",
				"Jean, jean@example.org");
	}

	/**
	 * Move time to the next digest, and return its page.
	 */
	private String digestAfter(long signup) throws Exception {
		this.jobs.tick("signup-digest");
		this.jobs.runAll();
		long digest = this.jdbc.sql("SELECT digest_id FROM signup WHERE id = ?")
			.param(signup)
			.query(Long.class)
			.single();
		return this.client.page("/mails/digests/" + digest).getBody();
	}

	@Test
	void isAnsweredWithItsLocation() {
		ResponseEntity<Map<String, Object>> answer = this.client
			.post(Map.of("name", "Grace", "email", "grace@example.org"));
		assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.CREATED);
		assertThat(this.client.get(String.valueOf(answer.getHeaders().getLocation())).getBody())
			.containsEntry("id", answer.getBody().get("id"))
			.containsEntry("name", "Grace")
			.containsEntry("email", "grace@example.org");
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			name,  '',                              ada@example.org
			name,  '   ',                           ada@example.org
			name,  '\u0000',                        ada@example.org
			email, Ada,                             ''
			email, Ada,                             ada
			email, Ada,                             ada@example.org@example.org
			email, Ada,                             jörg@example.org
			""")
	void isRefusedWithTheReason(String field, String name, String email) {
		long before = count("signup");
		ResponseEntity<Map<String, Object>> answer = this.client.post(Map.of("name", name, "email", email));
		assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.BAD_REQUEST);
		assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
		assertThat(answer.getBody()).extracting("errors", InstanceOfAssertFactories.list(Map.class))
			.singleElement(InstanceOfAssertFactories.map(String.class, String.class))
			.containsEntry("field", field)
			.hasEntrySatisfying("reason", (reason) -> assertThat(reason).startsWith("Please"));
		assertThat(count("signup")).isEqualTo(before);
	}

	@Test
	void isRefusedWithAllReasons() {
		ResponseEntity<Map<String, Object>> answer = this.client.post(Map.of());
		assertThat(answer.getBody()).extracting("errors", InstanceOfAssertFactories.list(Map.class))
			.extracting("field")
			.containsExactlyInAnyOrder("name", "email");
	}

	@Test
	void leavesNothingWhenItsTransactionIsRolledBack() {
		long signupsBefore = count("signup");
		long jobsBefore = count("jobqueue_jobs");
		this.transaction.executeWithoutResult((status) -> {
			this.signups.signUp(new Profile("Ada", "ada@example.org"));
			status.setRollbackOnly();
		});
		assertThat(count("signup")).isEqualTo(signupsBefore);
		assertThat(count("jobqueue_jobs")).isEqualTo(jobsBefore);
	}

	@Test
	void leavesNothingWhenItsJobCannotBeStored() {
		long before = count("signup");
		willThrow(new IllegalStateException("no job today")).given(this.workflows).start(any(), any());
		assertThat(this.client.post(Map.of("name", "Ada", "email", "ada@example.org")).getStatusCode())
			.isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
		assertThat(count("signup")).isEqualTo(before);
	}

	@Test
	void isUnknownUnderAnotherId() {
		assertThat(this.client.get("/signups/4711").getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(this.client.get("/signups/4711").getBody()).containsEntry("detail", "No signup has the id 4711.");
	}

	@Test
	void isNotVerifiedByAnotherLink() {
		ResponseEntity<String> answer = this.client.page("/verify/AAAAAAAAAAAAAAAAAAAAAA");
		assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.NOT_FOUND);
		assertThat(answer.getBody()).contains("We do not know this link");
	}

	@ParameterizedTest
	@CsvSource({ "/, A signup and its e-mail", "/, Digests", "/sample.js, watch()", "/sample.css, --paper",
			"/mails/4711, signup 4711", "/actuator/prometheus, jobqueue_jobs_max_age" })
	void isShownToPeople(String path, String text) {
		await().untilAsserted(() -> assertThat(this.client.page(path).getBody()).contains(text));
	}

	private long count(String table) {
		return this.jdbc.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

}

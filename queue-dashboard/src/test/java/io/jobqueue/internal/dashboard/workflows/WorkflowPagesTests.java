package io.jobqueue.internal.dashboard.workflows;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.function.RouterFunctions;

import io.jobqueue.WorkflowState;
import io.jobqueue.Workflows;
import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardProperties.Roles;
import io.jobqueue.internal.dashboard.DashboardTestBase;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages of workflows, and that of a job that is a step.
 */
class WorkflowPagesTests extends DashboardTestBase {

	private final Workflows workflows = DashboardApplication.bean(Workflows.class);

	private UUID start() {
		return this.workflows.start("fulfilment", "order 7").id();
	}

	private String page(String path) {
		HttpResponse<String> page = get(path);
		assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
		return page.body().replaceAll("\\s+", " ");
	}

	/**
	 * Insert finished instances with one step, each later than the one before it.
	 */
	private void insert(String name, WorkflowState state, int first, int count) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_workflow (id, created_at, finished_at, state, name)
					SELECT lpad(to_hex(n), 32, '0')::uuid, now(), now() + interval '1.5 s', :state, :name
					FROM generate_series(:first, :first + :count - 1) n;
					INSERT INTO jobqueue_workflow_step (workflow_id, position, job_id, changed_at, delay_millis, priority, state, name,
					                                    conditions, queue, type, payload)
					SELECT w.id, 0, gen_random_uuid(), now(), 0, 10, 'SUCCEEDED', 'pay', '{}', 'orders', 'Pay', '{}'
					FROM jobqueue_workflow w WHERE w.name = :name
					ON CONFLICT DO NOTHING
					""")
			.param("name", name)
			.param("state", state.name())
			.param("first", first)
			.param("count", count)
			.update();
	}

	private UUID job(String step) {
		return this.sql.sql("SELECT job_id FROM jobqueue_workflow_step WHERE name = ?")
			.param(step)
			.query(UUID.class)
			.single();
	}

	private void end(String step, String state, String branch, String result) {
		this.sql.sql("UPDATE jobqueue_workflow_step SET state = ?, branch = ?, result = ? WHERE name = ?")
			.params(state, branch, result, step)
			.update();
	}

	private static String row(String name, String steps, String running, String failed, String cancelled,
			String succeeded) {
		return "(?s)>%s</a>.*?Steps\" class=\"number\"> %s </td>.*?Running.*?%s.*?Failed.*?%s.*?Cancelled.*?%s.*?Succeeded.*?%s"
			.formatted(name, steps, running, failed, cancelled, succeeded);
	}

	@Test
	void workflowsAreListedWithTheirInstances() {
		assertThat(page("/workflows"))
			.containsPattern(row("fulfilment", "<data value=\"6\">6</data>", ">0<", ">0<", ">0<", ">0<"))
			.contains("href=\"/jobqueue/workflows?name=fulfilment\"")
			.doesNotContain("state=RUNNING");
		start();
		insert("import", WorkflowState.FAILED, 1, 2);
		insert("import", WorkflowState.CANCELLED, 3, 1);
		insert("import", WorkflowState.SUCCEEDED, 4, 10_000);
		assertThat(page("/workflows")).containsPattern(row("fulfilment", "<data.*?", ">1<", ">0<", ">0<", ">0<"))
			.containsPattern(row("import", "–", ">0<", ">2<", ">1<", ">10,000</data><abbr title=\"or more\">"))
			.contains("this application does not define it", "/workflows?name=import&amp;state=FAILED");
	}

	@Test
	void instancesAreFilteredByState() {
		UUID running = start();
		UUID other = start();
		this.sql.sql("UPDATE jobqueue_workflow SET name = 'other' WHERE id = ?").param(other).update();
		insert("fulfilment", WorkflowState.SUCCEEDED, 1, 1);
		insert("fulfilment", WorkflowState.FAILED, 2, 1);
		insert("other", WorkflowState.FAILED, 3, 1);
		assertThat(page("/workflows?name=fulfilment").split("<th scope=\"row\"")).hasSize(1 + 3);
		assertThat(page("/workflows?name=fulfilment&state=RUNNING")).contains("/workflows/" + running, "value=\"0\"")
			.doesNotContain("/workflows/" + new UUID(0, 1), "/workflows/" + other);
		assertThat(page("/workflows?name=fulfilment&state=FAILED"))
			.contains("/workflows/" + new UUID(0, 2), "<option value=\"FAILED\" selected>", ">1s 500ms<")
			.doesNotContain("/workflows/" + new UUID(0, 3));
		assertThat(page("/workflows?name=fulfilment&state=succeeded")).contains("/workflows/" + new UUID(0, 1),
				"100 %");
		assertThat(page("/workflows?name=fulfilment&state=CANCELLED")).contains("No instance is in this state.");
		assertThat(page("/workflows?name=other")).contains("This application does not define the workflow.");
	}

	@ParameterizedTest
	@CsvSource({ "/workflows?name=fulfilment", "/workflows?name=fulfilment&state=SUCCEEDED" })
	void instancesArePaged(String list) {
		insert("fulfilment", WorkflowState.SUCCEEDED, 1, 51);
		String after = new UUID(0, 2).toString();
		assertThat(page(list)).contains("after=" + after, "Next page").doesNotContain("/workflows/" + new UUID(0, 1));
		assertThat(page(list + "&after=" + after)).contains("/workflows/" + new UUID(0, 1), "First page")
			.doesNotContain("Next page", "/workflows/" + after);
	}

	/**
	 * An index leads to the failed ones.
	 */
	@Test
	void searchEndsAfterTenThousandInstances() {
		insert("fulfilment", WorkflowState.SUCCEEDED, 1, 1);
		insert("fulfilment", WorkflowState.FAILED, 2, 10_000);
		String first = page("/workflows?name=fulfilment&state=SUCCEEDED");
		assertThat(first).contains("The search stopped after it had examined 10,000 instances")
			.doesNotContain("hx-get=\"/jobqueue/workflows", "No instance is in this state.");
		String next = first.replaceAll(".*href=\"/jobqueue([^\"]*after=[^\"]*)\">continue.*", "$1");
		assertThat(page(next.replace("&amp;", "&"))).contains("/workflows/" + new UUID(0, 1));
	}

	@Test
	void instanceIsDrawnAndItsStepsAreListed() {
		UUID instance = start();
		UUID pay = job("pay");
		String page = page("/workflows/" + instance);
		assertThat(page)
			.contains("<h1>Workflow fulfilment</h1>", "state-running", "0 of 6 steps have ended, 0 %",
					"<a href=\"/jobqueue/jobs/%s\" class=\"node node-ready".formatted(pay), "class=\"node node-waiting",
					"edge edge-any", "edge edge-failure", "<title>in-stock</title>in-stock</text>",
					"after(pay).on(in-stock)", "not begun", "state-started", "not yet", "Actions on this instance")
			.doesNotContain("style=", "Retry from the failed step", "node-current");
		end("pay", "SUCCEEDED", "in-stock", "{\"reference\":\"p-7\"}");
		this.sql.sql("DELETE FROM jobqueue_job").update();
		assertThat(get("/workflows/" + instance).body()).contains("\"reference\" : \"p-7\"", "19 characters",
				"no longer stored", "1 of 6 steps have ended, 16 %");
	}

	@Test
	void longResultIsCut() {
		UUID instance = start();
		end("pay", "SUCCEEDED", null, "\"" + "x".repeat(5_000) + "\"");
		assertThat(page("/workflows/" + instance)).contains("the first 1,000 of 5,002 characters")
			.doesNotContain("x".repeat(1_000));
	}

	@Test
	void jobOfAStepShowsTheInstance() {
		UUID instance = start();
		String link = "<a href=\"/jobqueue/workflows/%s\">".formatted(instance);
		String pay = page("/jobs/" + job("pay"));
		assertThat(pay).contains("<dt>Step</dt> <dd>pay of " + link + "workflow fulfilment</a>",
				link + "Workflow fulfilment</a>", "class=\"node node-ready node-current\"",
				"(ready, orders, this job) must choose in-stock before ship (waiting, orders)");
		assertThat(pay.split("node-current")).hasSize(2);
		this.workflows.cancel(instance);
		assertThat(page("/jobs/" + job("pay"))).contains("class=\"node node-cancelled node-current\"", "node-skipped");
	}

	@Test
	void instanceIsCancelledAndRetriedWithReasons() {
		UUID instance = start();
		UUID job = job("pay");
		HttpResponse<String> cancelled = post("/workflows/" + instance + "/cancel",
				Map.of("reason", "not <b>paid</b>"));
		assertThat(cancelled.headers().firstValue("Location")).hasValueSatisfying((location) -> assertThat(location)
			.endsWith("/jobqueue/workflows/" + instance + "?done=workflow.cancel"));
		assertThat(page("/workflows/" + instance + "?done=workflow.cancel"))
			.contains("The instance is cancelled: no further step begins", "/retry\"")
			.doesNotContain("/cancel\"");
		assertThat(this.workflows.find(instance).orElseThrow().state()).isEqualTo(WorkflowState.CANCELLED);
		assertThat(post("/workflows/" + instance + "/retry", Map.of("reason", "paid")).statusCode()).isEqualTo(303);
		assertThat(this.workflows.find(instance).orElseThrow().state()).isEqualTo(WorkflowState.RUNNING);
		assertThat(job("pay")).isNotEqualTo(job);
		assertThat(page("/log?operation=retry-workflow"))
			.contains("<a href=\"/jobqueue/workflows/%s\">".formatted(instance), "paid")
			.doesNotContain("not &lt;b>paid");
		assertThat(page("/log?operation=cancel-workflow")).contains("not &lt;b&gt;paid&lt;/b&gt;");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			cancel  |        | 409 | has finished already, and was not cancelled
			retry   |        | 409 | nothing to retry
			retry   | state  | 400 | Unknown parameter 'state': the known ones are reason
			explode |        | 404 | There is no action
			""")
	void whatIsNotPossibleIsASentence(String action, String field, int status, String message) {
		insert("fulfilment", WorkflowState.SUCCEEDED, 1, 1);
		HttpResponse<String> page = post("/workflows/" + new UUID(0, 1) + "/" + action,
				(field != null) ? Map.of(field, "FAILED") : Map.of());
		assertThat(page.statusCode()).isEqualTo(status);
		assertThat(page.body()).contains(message);
	}

	@ParameterizedTest
	@CsvSource({ "01a2205c-289e-7000-ba1b-48c9cd4bc0d1", "nonsense", "%3Cscript%3E" })
	void unknownInstanceIsNotFound(String id) {
		assertThat(get("/workflows/" + id).statusCode()).isEqualTo(404);
		HttpResponse<String> page = post("/workflows/" + id + "/cancel", Map.of());
		assertThat(page.statusCode()).isEqualTo(404);
		assertThat(page.body()).contains("There is no instance of a workflow with this id").doesNotContain("<script>");
	}

	@Test
	void stateWithoutAWorkflowIsRefused() {
		assertThat(get("/workflows?state=FAILED").statusCode()).isEqualTo(400);
		assertThat(get("/workflows?name=" + "x".repeat(1_000)).body()).contains("There are no instances.",
				"<h1>Workflow " + "x".repeat(99) + "…</h1>");
	}

	/**
	 * In each field that the pages show. Conditions contain names and no other text.
	 */
	@Test
	void hostileTextIsText() {
		UUID instance = start();
		UUID pay = job("pay");
		String text = HOSTILE.substring(0, 1_000);
		this.sql
			.sql("""
					UPDATE jobqueue_workflow SET name = :text;
					UPDATE jobqueue_workflow_step SET name = :text || position, queue = :text, type = :text, branch = :text, result = :text;
					UPDATE jobqueue_job SET queue = :text, type = :text
					""")
			.param("text", text)
			.update();
		String list = page("/workflows");
		String link = list.replaceAll(".*href=\"/jobqueue(/workflows\\?name=%[^\"]*)\".*", "$1");
		assertThat(page(link.replace("&amp;", "&"))).contains("/workflows/" + instance, "&lt;script>alert")
			.doesNotContain("<script>alert");
		for (String path : new String[] { "/workflows", "/workflows/" + instance, "/jobs/" + pay }) {
			assertThat(page(path)).as(path).contains("&lt;script&gt;alert").doesNotContain("<script>alert");
		}
		assertThat(page("/workflows/" + instance).split("&lt;script(&gt;|>)alert")).hasSizeGreaterThan(40);
	}

	@Test
	void resultsAreHidden() {
		UUID instance = start();
		end("pay", "SUCCEEDED", "in-stock", "\"top-secret\"");
		MockMvcTester pages = MockMvcTester.create(
				MockMvcBuilders.routerFunctions(RouterFunctions.route().path("/jobqueue", this::addHiddenTo).build())
					.build());
		MvcTestResult result = pages.get().uri("/jobqueue/workflows/" + instance).exchange();
		assertThat(result).hasStatusOk();
		assertThat(new String(result.getResponse().getContentAsByteArray(), StandardCharsets.UTF_8))
			.contains("******", "12 characters", "in-stock", "jobqueue.dashboard.show-values controls this")
			.doesNotContain("top-secret");
	}

	private void addHiddenTo(RouterFunctions.Builder routes) {
		new WorkflowRoutes(DashboardApplication.bean(Views.class), this.workflows,
				DashboardApplication.bean(PostgresStores.class),
				new DashboardProperties("/jobqueue", new Roles(Set.of(), Set.of()), "loopback", false, null))
			.addTo(routes);
	}

}

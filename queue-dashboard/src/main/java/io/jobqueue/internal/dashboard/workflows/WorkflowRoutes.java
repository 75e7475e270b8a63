package io.jobqueue.internal.dashboard.workflows;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.ShortText;
import io.jobqueue.WorkflowDefinition;
import io.jobqueue.WorkflowInfo;
import io.jobqueue.WorkflowPage;
import io.jobqueue.WorkflowQuery;
import io.jobqueue.WorkflowState;
import io.jobqueue.Workflows;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.PathId;
import io.jobqueue.internal.dashboard.drawing.StepDrawing;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.WorkflowSearchStore;
import io.jobqueue.internal.store.WorkflowSearchStore.FoundInstances;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Workflows, the instances of one, and the page of an instance.
 */
public final class WorkflowRoutes implements DashboardRoutes {

	/**
	 * The maximum number of instances of a page.
	 */
	private static final int PAGE = 50;

	private static final int MAX_RESULT = 1_000;

	private static final int MAX_TITLE = 100;

	private static final String ALL = "all";

	private final Views views;

	private final Workflows workflows;

	private final WorkflowSearchStore search;

	private final RelationStore relations;

	private final ValueSanitizer sanitizer;

	private final CachedReading<String, WorkflowList> lists = new CachedReading<>((key) -> readAll());

	private final CachedReading<Selection, InstanceList> instances = new CachedReading<>(this::read);

	private final CachedReading<UUID, Optional<InstancePage>> pages = new CachedReading<>(this::read);

	/**
	 * Create the pages.
	 * @param views renders them
	 * @param workflows lists definitions and instances
	 * @param stores the stores of the queue
	 * @param settings whether values are hidden
	 */
	public WorkflowRoutes(Views views, Workflows workflows, PostgresStores stores, DashboardProperties settings) {
		this.views = views;
		this.workflows = workflows;
		this.search = stores.workflowSearch();
		this.relations = stores.relations();
		this.sanitizer = settings.sanitizer();
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/workflows", this::list).GET("/workflows/{id}", this::show);
	}

	private ServerResponse list(ServerRequest request) {
		Form page = Form.ofPage(request, "name", "state", "after");
		String name = page.text("name");
		if (name == null) {
			Assert.isTrue(page.values().isEmpty(), "'name' is missing: enter the name of a workflow");
			return this.views.page(request, "Workflows", "workflows/list.jte", this.lists.get(ALL));
		}
		Selection selection = new Selection(name, state(page.text("state")), after(page.text("after")));
		return this.views.page(request, title(name), "workflows/instances.jte", this.instances.get(selection));
	}

	private static String title(String name) {
		return "Workflow " + ShortText.of(name, MAX_TITLE);
	}

	private static @Nullable WorkflowState state(@Nullable String text) {
		return (text == null) ? null
				: Arrays.stream(WorkflowState.values())
					.filter((state) -> state.name().equals(text.toUpperCase(Locale.ROOT)))
					.findFirst()
					.orElseThrow(() -> new IllegalArgumentException(
							"There is no state '%s' of an instance: the known ones are %s".formatted(text,
									Arrays.toString(WorkflowState.values()))));
	}

	private static @Nullable UUID after(@Nullable String text) {
		return (text == null) ? null : PathId.of(text)
			.orElseThrow(
					() -> new IllegalArgumentException("'%s' is not the start of a page of instances".formatted(text)));
	}

	private WorkflowList readAll() {
		return WorkflowList.of(this.workflows.definitions(), this.search.count());
	}

	private InstanceList read(Selection selection) {
		WorkflowDefinition<?> definition = this.workflows.definitions()
			.stream()
			.filter((each) -> each.name().equals(selection.name()))
			.findFirst()
			.orElse(null);
		WorkflowState state = selection.state();
		if (state == null) {
			WorkflowQuery query = WorkflowQuery.all().name(selection.name()).limit(PAGE);
			WorkflowPage page = this.workflows
				.list((selection.after() != null) ? query.after(selection.after()) : query);
			return new InstanceList(selection.name(), definition, page.workflows(), page.next(), false);
		}
		FoundInstances found = this.search.find(selection.name(), state, selection.after(), PAGE);
		return new InstanceList(selection.name(), definition, this.search.read(found.ids()), found.next(),
				found.partial());
	}

	private ServerResponse show(ServerRequest request) {
		Form.requireOnly(request);
		InstancePage page = PathId.of(request.pathVariable("id"))
			.flatMap(this.pages::get)
			.orElseThrow(WorkflowActions::unknown);
		return this.views.page(request, title(page.workflow().name()), "workflows/instance.jte", page);
	}

	private Optional<InstancePage> read(UUID id) {
		return this.workflows.find(id).map(this::page);
	}

	private InstancePage page(WorkflowInfo workflow) {
		return InstancePage.of(workflow, this.relations.find(StepDrawing.jobs(workflow.steps())),
				this.search.results(workflow.id(), MAX_RESULT), this.sanitizer);
	}

	/**
	 * Which page of which instances.
	 *
	 * @param name the name of the workflow
	 * @param state their state, {@code null} for all
	 * @param after the position of the page, {@code null} for the first one
	 */
	private record Selection(String name, @Nullable WorkflowState state, @Nullable UUID after) {

	}

}

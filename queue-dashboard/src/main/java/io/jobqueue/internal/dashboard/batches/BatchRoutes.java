package io.jobqueue.internal.dashboard.batches;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.BatchDetails;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.PathId;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.BatchStore.Callbacks;
import io.jobqueue.internal.store.RelationStore;
import io.jobqueue.internal.store.RelationStore.Related;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * Batches, and the page of one.
 */
public final class BatchRoutes implements DashboardRoutes {

	/**
	 * The maximum number of batches of a page.
	 */
	private static final int PAGE = 50;

	/**
	 * The maximum number of unfinished batches that are read.
	 */
	private static final int MAX_UNFINISHED = 1_000;

	private static final String ALL = "all";

	private final Views views;

	private final BatchStore batches;

	private final RelationStore relations;

	private final ValueSanitizer sanitizer;

	private final CachedReading<String, BatchList> lists = new CachedReading<>((key) -> readAll());

	private final CachedReading<UUID, Optional<BatchPage>> pages = new CachedReading<>(this::read);

	/**
	 * Create the pages.
	 * @param views renders them
	 * @param stores the stores of the queue
	 * @param settings whether values are hidden
	 */
	public BatchRoutes(Views views, PostgresStores stores, DashboardProperties settings) {
		this.views = views;
		this.batches = stores.batches();
		this.relations = stores.relations();
		this.sanitizer = settings.sanitizer();
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/batches", this::list).GET("/batches/{id}", this::show);
	}

	private ServerResponse list(ServerRequest request) {
		String after = after(Form.ofPage(request, "after").text("after"));
		BatchList all = this.lists.get(ALL);
		List<ShownBatch> following = all.unfinished().stream().filter((batch) -> follows(batch, after)).toList();
		List<ShownBatch> page = following.stream().limit(PAGE).toList();
		String next = (following.size() > PAGE) ? page.get(PAGE - 1).details().id().toString() : null;
		return this.views.page(request, "Batches", "batches/list.jte",
				new BatchList(page, after.isEmpty() ? all.finished() : List.of(), next));
	}

	private static String after(@Nullable String text) {
		Assert.isTrue(text == null || PathId.of(text).isPresent(),
				() -> "'%s' is not the start of a page of batches".formatted(text));
		return Objects.requireNonNullElse(text, "");
	}

	/**
	 * The ids of batches begin with their time, in the order of their text.
	 */
	private static boolean follows(ShownBatch batch, String after) {
		return after.isEmpty() || batch.details().id().toString().compareTo(after) < 0;
	}

	private BatchList readAll() {
		return new BatchList(shown(this.batches.unfinished(MAX_UNFINISHED)), shown(this.batches.finished(PAGE)), null);
	}

	private List<ShownBatch> shown(List<BatchDetails> found) {
		return found.stream().map((batch) -> ShownBatch.of(batch, this.sanitizer)).toList();
	}

	private ServerResponse show(ServerRequest request) {
		Form.requireOnly(request);
		BatchPage page = PathId.of(request.pathVariable("id"))
			.flatMap(this.pages::get)
			.orElseThrow(() -> new RefusedRequestException(404,
					"There is no batch with this id. Finished batches are kept for 7 days."));
		return this.views.page(request, "Batch " + page.batch().title(), "batches/batch.jte", page);
	}

	private Optional<BatchPage> read(UUID id) {
		BatchDetails batch = this.batches.find(id);
		Callbacks callbacks = this.batches.callbacks(id);
		return (batch != null && callbacks != null)
				? Optional.of(new BatchPage(ShownBatch.of(batch, this.sanitizer), read(batch, callbacks)))
				: Optional.empty();
	}

	private List<BatchPage.Callback> read(BatchDetails batch, Callbacks callbacks) {
		UUID failure = callbacks.failure();
		if (failure == null) {
			return List.of(callback("after the last member", callbacks.then(),
					this.relations.find(List.of(callbacks.then())), true));
		}
		List<Related> found = this.relations.find(List.of(callbacks.then(), failure));
		boolean finished = batch.finishedAt() != null;
		boolean failed = batch.info().failed() > 0;
		return List.of(callback("if all members have succeeded", callbacks.then(), found, !finished || !failed),
				callback("if a member has failed", failure, found, !finished || failed));
	}

	private static BatchPage.Callback callback(String kind, UUID job, List<Related> found, boolean needed) {
		Related known = found.stream().filter((each) -> each.id().equals(job)).findFirst().orElse(null);
		return new BatchPage.Callback(kind, job, (known != null) ? known.type() : null,
				(known != null) ? known.state() : null, needed);
	}

}

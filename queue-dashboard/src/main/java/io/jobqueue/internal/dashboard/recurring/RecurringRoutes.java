package io.jobqueue.internal.dashboard.recurring;

import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.recurring.DeclaredSchedules;

/**
 * The schedules, and their actions.
 */
public final class RecurringRoutes implements DashboardRoutes {

	private final Views views;

	private final RecurringJobs schedules;

	private final DeclaredSchedules declared;

	private final CachedReading<Selection, Schedules> pages = new CachedReading<>(this::read);

	/**
	 * Create the page.
	 * @param views renders it
	 * @param schedules lists and changes schedules
	 * @param declared the schedules that this application declares
	 */
	public RecurringRoutes(Views views, RecurringJobs schedules, DeclaredSchedules declared) {
		this.views = views;
		this.schedules = schedules;
		this.declared = declared;
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/recurring", this::show).POST("/recurring/{action}", this::run);
	}

	private ServerResponse show(ServerRequest request) {
		Form page = Form.ofPage(request, "namePrefix", "after");
		Selection selection = new Selection(page.text("namePrefix"), page.text("after"));
		return this.views.page(request, "Recurring", "recurring/list.jte", this.pages.get(selection));
	}

	private Schedules read(Selection selection) {
		RecurringJobQuery query = RecurringJobQuery.all();
		query = (selection.prefix() != null) ? query.namePrefix(selection.prefix()) : query;
		RecurringJobPage page = this.schedules
			.list((selection.after() != null) ? query.after(selection.after()) : query);
		return new Schedules(page.jobs()
			.stream()
			.map((job) -> Schedule.of(job, this.declared.names().contains(job.name())))
			.toList(), page.next());
	}

	private ServerResponse run(ServerRequest request) {
		Form form = this.views.form(request, "name");
		String name = form.required("name", "the name of a schedule", Function.identity());
		String reason = form.reason();
		RecurringJobs reasoned = (reason != null) ? this.schedules.because(reason) : this.schedules;
		return switch (request.pathVariable("action")) {
			case "trigger" -> done(request, name, reasoned::trigger, "schedule.trigger");
			case "pause" -> done(request, name, reasoned::pause, "schedule.pause");
			case "resume" -> done(request, name, reasoned::resume, "schedule.resume");
			case "delete" -> done(request, name, (schedule) -> delete(reasoned, schedule), "schedule.delete");
			default -> throw new RefusedRequestException(404, "There is no such action of a schedule.");
		};
	}

	private static void delete(RecurringJobs schedules, String name) {
		if (!schedules.delete(name)) {
			throw new RefusedRequestException(404, "There is no such schedule. It may have been deleted already.");
		}
	}

	private ServerResponse done(ServerRequest request, String name, Consumer<String> action, String code) {
		action.accept(name);
		return this.views.redirect(request, "/recurring", code);
	}

	/**
	 * Which page of which schedules.
	 *
	 * @param prefix the beginning of the names, {@code null} for all
	 * @param after the position of the page, {@code null} for the first one
	 */
	private record Selection(@Nullable String prefix, @Nullable String after) {

	}

}

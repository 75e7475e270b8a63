package io.jobqueue.internal.dashboard.recurring;

import java.util.function.Consumer;

import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Views;

/**
 * The schedules, and their actions.
 */
public final class RecurringRoutes implements DashboardRoutes {

	private final Views views;

	private final RecurringJobs schedules;

	private final CachedReading<Selection, Schedules> pages = new CachedReading<>(this::read);

	/**
	 * Create the page.
	 * @param views renders it
	 * @param schedules lists and changes schedules
	 */
	public RecurringRoutes(Views views, RecurringJobs schedules) {
		this.views = views;
		this.schedules = schedules;
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/recurring", this::show).POST("/recurring/{action}", this::run);
	}

	private ServerResponse show(ServerRequest request) {
		Selection selection = new Selection(request.param("namePrefix").orElse(""), request.param("after").orElse(""));
		return this.views.page(request, "Recurring", "recurring/list.jte", this.pages.get(selection));
	}

	private Schedules read(Selection selection) {
		RecurringJobQuery query = RecurringJobQuery.all();
		query = selection.prefix().isEmpty() ? query : query.namePrefix(selection.prefix());
		RecurringJobPage page = this.schedules
			.list(selection.after().isEmpty() ? query : query.after(selection.after()));
		return new Schedules(page.jobs().stream().map(Schedule::of).toList(), page.next());
	}

	private ServerResponse run(ServerRequest request) {
		String name = request.param("name")
			.orElseThrow(() -> new RefusedRequestException(400, "No schedule is named."));
		return switch (request.pathVariable("action")) {
			case "trigger" -> done(request, name, this.schedules::trigger, "schedule.trigger");
			case "pause" -> done(request, name, this.schedules::pause, "schedule.pause");
			case "resume" -> done(request, name, this.schedules::resume, "schedule.resume");
			case "delete" -> done(request, name, this::delete, "schedule.delete");
			default -> throw new RefusedRequestException(404, "There is no such action of a schedule.");
		};
	}

	private void delete(String name) {
		if (!this.schedules.delete(name)) {
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
	 * @param prefix the beginning of the names, empty for all
	 * @param after the position of the page, empty for the first one
	 */
	private record Selection(String prefix, String after) {

	}

}

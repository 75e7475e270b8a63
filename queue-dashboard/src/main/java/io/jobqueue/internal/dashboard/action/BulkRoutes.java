package io.jobqueue.internal.dashboard.action;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.util.Assert;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.JobOperationException;
import io.jobqueue.internal.boot.endpoint.ValueSanitizer;
import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.action.BulkPage.Expected;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.PageReads;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.operations.BulkChange;
import io.jobqueue.internal.operations.BulkSteps;
import io.jobqueue.internal.operations.BulkSteps.Position;
import io.jobqueue.internal.operations.BulkSteps.Preview;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.StorableTime;

/**
 * Actions on all jobs of a filter: a preview, and steps that the page requests one after
 * the other, each with the fields of the one before. A step that is requested again, for
 * example by a reload, is refused.
 */
public final class BulkRoutes implements DashboardRoutes {

	private static final Logger logger = LoggerFactory.getLogger(BulkRoutes.class);

	/**
	 * The step after it has a number, too.
	 */
	private static final int MAX_NUMBER = 999_999_999;

	private final Views views;

	private final BulkSteps steps;

	private final ValueSanitizer sanitizer;

	/**
	 * Create the routes.
	 * @param views renders the pages
	 * @param steps change jobs
	 * @param settings the settings of the dashboard
	 */
	public BulkRoutes(Views views, BulkSteps steps, DashboardProperties settings) {
		this.views = views;
		this.steps = steps;
		this.sanitizer = settings.sanitizer();
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/bulk/{action}", this::preview).POST("/bulk/{action}", this::step);
	}

	private ServerResponse preview(ServerRequest request) {
		BulkAction action = BulkAction.of(request.pathVariable("action"));
		BulkFilter filter = BulkFilter.ofPage(Form.ofSearch(request));
		BulkChange counted = action.counted(filter.query(this.sanitizer));
		Preview preview = PageReads.read(() -> this.steps.preview(counted));
		BulkPage page = new BulkPage(action, filter.conditions(), Map.of(),
				new Expected(preview.jobs(), preview.more(), preview.partial()), preview.first(), 0, 0);
		return this.views.page(request, action.label("jobs"), "action/preview.jte", page);
	}

	private ServerResponse step(ServerRequest request) {
		BulkAction action = BulkAction.of(request.pathVariable("action"));
		Form form = this.views.formOfSearch(request);
		BulkFilter filter = BulkFilter.of(form, action.fields());
		Position position = position(form);
		BulkPage page = new BulkPage(action, filter.conditions(), fields(action, form), expected(form), position,
				number(form, "changed"), number(form, "skipped"));
		BulkChange change = action.change(filter.query(this.sanitizer), new ActionFields(form.with(page.fields())));
		try {
			BulkPage after = page.after(this.steps.step(change, position, form.reason()));
			return this.views.page(request, action.label("jobs"), "action/steps.jte", after);
		}
		catch (IllegalArgumentException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw refused(ex, page, position);
		}
	}

	private static Position position(Form form) {
		return new Position(form.required("id", "an id", ActionFields::id),
				form.required("began", "a time", StorableTime::parse), (int) number(form, "step"),
				form.text("position"));
	}

	private static Expected expected(Form form) {
		return new Expected(number(form, "jobs"), form.text("more") != null, form.text("partial") != null);
	}

	private static long number(Form form, String name) {
		return form.required(name, "a number from 0 to 999999999", (text) -> {
			long number = Long.parseLong(text);
			Assert.isTrue(number >= 0 && number <= MAX_NUMBER, "out of range");
			return number;
		});
	}

	/**
	 * Return the fields that the first step has and all others repeat. A time is computed
	 * once.
	 */
	private static Map<String, String> fields(BulkAction action, Form form) {
		Map<String, String> fields = new LinkedHashMap<>();
		String reason = form.reason();
		if (reason != null) {
			fields.put("reason", reason);
		}
		if (action == BulkAction.RESCHEDULE) {
			fields.put("runAt", new ActionFields(form).fixedRunAt().toString());
		}
		if (action == BulkAction.REPRIORITISE) {
			fields.put("priority", String.valueOf(new ActionFields(form).priority().value()));
		}
		return fields;
	}

	/**
	 * Say which step has failed, and what was done before.
	 */
	private static RefusedRequestException refused(RuntimeException failure, BulkPage page, Position position) {
		if (failure instanceof JobOperationException) {
			return new RefusedRequestException(409,
					"Step %s was requested before, and is not repeated. The operator log has the number of all changed jobs; begin again with a new preview."
						.formatted(position.step() + 1));
		}
		return new RefusedRequestException(503,
				"Step %s was not completed: %s. The steps before it have changed %s jobs. The operator log has the number of all changed jobs; begin again with a new preview."
					.formatted(position.step() + 1, cause(failure, position),
							String.format(Locale.ENGLISH, "%,d", page.changed())));
	}

	private static String cause(RuntimeException failure, Position position) {
		if (failure instanceof CannotAcquireLockException) {
			return "A table or its row of the operator log is locked by another transaction";
		}
		boolean database = failure instanceof DataAccessException;
		logger.warn("Step {} of the operation {} of the dashboard failed: {}", position.step() + 1, position.id(),
				FailureText.of(failure));
		logger.atLevel(database ? Level.DEBUG : Level.WARN).setCause(failure).log("The step failed");
		return (database ? "The database" : "The dashboard") + " failed; see the log";
	}

}

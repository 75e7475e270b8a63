package io.jobqueue.internal.dashboard.log;

import java.time.DateTimeException;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.Form;
import io.jobqueue.internal.dashboard.view.Views;
import io.jobqueue.internal.store.OperatorLogStore;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogPage;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogPosition;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogQuery;
import io.jobqueue.internal.store.StorableTime;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The page of the operator log.
 */
public final class LogRoutes implements DashboardRoutes {

	private static final int PAGE_SIZE = 50;

	private static final String SEPARATOR = "_";

	private final Views views;

	private final CachedReading<OperatorLogQuery, LogPage> pages;

	/**
	 * Create the page.
	 * @param views renders it
	 * @param stores read the log
	 */
	public LogRoutes(Views views, PostgresStores stores) {
		this.views = views;
		OperatorLogStore log = stores.operatorLog();
		this.pages = new CachedReading<>((query) -> page(log.list(query)));
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/log", this::show);
	}

	private ServerResponse show(ServerRequest request) {
		Form page = Form.ofPage(request, "operator", "operation", "after");
		OperatorLogQuery query = new OperatorLogQuery(page.text("operator"), operation(page.text("operation")),
				position(page.text("after")), PAGE_SIZE);
		return this.views.page(request, "Operator log", "log/page.jte", this.pages.get(query));
	}

	private static @Nullable String operation(@Nullable String name) {
		Assert.isTrue(name == null || LogPage.OPERATIONS.contains(name),
				() -> "There is no operation '%s': the known ones are %s".formatted(name,
						String.join(", ", LogPage.OPERATIONS)));
		return name;
	}

	private static @Nullable OperatorLogPosition position(@Nullable String text) {
		if (text == null) {
			return null;
		}
		try {
			String[] parts = text.split(SEPARATOR, -1);
			Assert.isTrue(parts.length == 2, "not two parts");
			return new OperatorLogPosition(StorableTime.parse(parts[0]), UUID.fromString(parts[1]));
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw new IllegalArgumentException("'%s' is not the start of a page of the log".formatted(text), ex);
		}
	}

	private static LogPage page(OperatorLogPage page) {
		OperatorLogPosition next = page.next();
		return new LogPage(page.rows(), (next != null) ? next.at() + SEPARATOR + next.id() : null, page.partial());
	}

}

package io.jobqueue.internal.dashboard.live;

import java.time.Duration;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The stream of events that refresh open pages. At a stop of the context all streams end
 * first: a graceful stop of the web server would wait for them.
 */
public final class LiveRoutes implements DashboardRoutes, SmartLifecycle {

	private static final Duration INTERVAL = Duration.ofSeconds(2);

	private static final Duration SILENCE = Duration.ofSeconds(10);

	/**
	 * Also sends the headers at once.
	 */
	private static final String BEGIN = "retry: 2000\n\n";

	private final LiveStreams streams;

	/**
	 * Create the stream.
	 * @param stores reads whether something has changed
	 */
	@Autowired
	public LiveRoutes(PostgresStores stores) {
		this(stores, INTERVAL);
	}

	LiveRoutes(PostgresStores stores, Duration interval) {
		this.streams = new LiveStreams(() -> stores.monitoring().changes(), CachedReading::outdate, interval, SILENCE);
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/live", this::open);
	}

	private ServerResponse open(ServerRequest request) {
		if (!this.streams.hasRoom() || !request.servletRequest().isAsyncSupported()) {
			throw new RefusedRequestException(503, "There are too many live pages; this one refreshes less often.");
		}
		return ServerResponse.ok()
			.contentType(MediaType.TEXT_EVENT_STREAM)
			.header("X-Accel-Buffering", "no")
			.build((servletRequest, servletResponse) -> {
				LiveStream stream = LiveStream.begin(servletRequest, servletResponse, this.streams::remove);
				stream.send(BEGIN);
				this.streams.add(stream);
				return null;
			});
	}

	@Override
	public void start() {
		this.streams.start();
	}

	@Override
	public void stop() {
		this.streams.stop();
	}

	@Override
	public boolean isRunning() {
		return !this.streams.isStopped();
	}

	/**
	 * The highest phase stops first.
	 */
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE;
	}

}

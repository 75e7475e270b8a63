package io.jobqueue.internal.dashboard.live;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.DashboardRoutes;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.dashboard.view.CachedReading;
import io.jobqueue.internal.dashboard.view.PageReads;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * The stream of events that refresh open pages. At a stop of the context all streams end
 * first: a graceful stop of the web server would wait for them.
 */
public final class LiveRoutes implements DashboardRoutes, SmartLifecycle {

	private static final Duration INTERVAL = Duration.ofSeconds(2);

	private static final Duration SILENCE = Duration.ofSeconds(10);

	/**
	 * With the interval, less than 10 s until pages show that they are not live.
	 */
	private static final Duration MAX_WAIT = Duration.ofSeconds(5);

	/**
	 * Also sends the headers at once.
	 */
	private static final String BEGIN = "retry: 2000\n\n";

	private static final Logger logger = LoggerFactory.getLogger(LiveRoutes.class);

	private final LiveStreams streams;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Create the stream.
	 * @param stores reads whether something has changed
	 */
	@Autowired
	public LiveRoutes(PostgresStores stores) {
		this(() -> stores.monitoring().changes(), INTERVAL, MAX_WAIT);
	}

	LiveRoutes(LongSupplier changes, Duration interval, Duration maxWait) {
		this.streams = new LiveStreams(() -> PageReads.read(changes::getAsLong, maxWait), CachedReading::outdate,
				interval, SILENCE);
	}

	@Override
	public void addTo(RouterFunctions.Builder routes) {
		routes.GET("/live", this::open);
	}

	private ServerResponse open(ServerRequest request) {
		if (!request.servletRequest().isAsyncSupported()) {
			throw withoutAsync();
		}
		if (!this.streams.hasRoom()) {
			throw new RefusedRequestException(503, "There are too many live pages; this one refreshes less often.");
		}
		ServerResponse.BodyBuilder response = ServerResponse.ok()
			.contentType(MediaType.TEXT_EVENT_STREAM)
			.header("X-Accel-Buffering", "no");
		return HttpMethod.HEAD.equals(request.method()) ? response.build() : stream(response);
	}

	/**
	 * Each page requests a stream again and again: the log says it once.
	 */
	private RefusedRequestException withoutAsync() {
		if (!this.warned.getAndSet(true)) {
			logger.warn(
					"The dashboard has no live pages, which refresh every 10 s instead: a servlet filter of the application, or its servlet, does not support asynchronous requests. Register it with asyncSupported=true.");
		}
		return new RefusedRequestException(503,
				"A servlet filter of the application, or its servlet, does not support asynchronous requests, which live pages need; this page refreshes less often.");
	}

	private ServerResponse stream(ServerResponse.BodyBuilder response) {
		return response.build((servletRequest, servletResponse) -> {
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

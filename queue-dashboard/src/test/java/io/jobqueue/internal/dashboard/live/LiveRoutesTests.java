package io.jobqueue.internal.dashboard.live;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;

import io.jobqueue.internal.dashboard.DashboardApplication;
import io.jobqueue.internal.dashboard.RefusedRequestException;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * The stream of an application.
 */
class LiveRoutesTests {

	private final HttpClient client = HttpClient.newHttpClient();

	/**
	 * The server waits for an hour for requests to end.
	 */
	@Test
	@Timeout(60)
	void stopOfTheApplicationEndsStreamsAtOnce() throws IOException, InterruptedException {
		ConfigurableApplicationContext application = DashboardApplication
			.run("spring.lifecycle.timeout-per-shutdown-phase=1h", "server.shutdown=graceful");
		HttpResponse<InputStream> stream = this.client.send(
				HttpRequest.newBuilder(URI.create(DashboardApplication.address(application) + "/live")).build(),
				BodyHandlers.ofInputStream());
		assertThat(stream.statusCode()).isEqualTo(200);
		assertThat(stream.headers().firstValue("content-type")).hasValue("text/event-stream");
		assertThat(stream.headers().firstValue("cache-control")).hasValue("no-store");
		assertThat(new String(stream.body().readNBytes(13), StandardCharsets.UTF_8)).isEqualTo("retry: 2000\n\n");
		application.close();
		assertThat(stream.body().readAllBytes()).isEmpty();
	}

	/**
	 * As of a pool without a free connection, which may wait for half a minute.
	 */
	@Test
	void readingThatHangsIsSentAsLost() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		LiveRoutes live = new LiveRoutes(() -> {
			assertThatNoException().isThrownBy(end::await);
			return 7;
		}, Duration.ofMillis(5), Duration.ofMillis(50));
		try {
			MockHttpServletResponse browser = MockMvcBuilders
				.routerFunctions(RouterFunctions.route().path("", live::addTo).build())
				.build()
				.perform(MockMvcRequestBuilders.get("/live"))
				.andReturn()
				.getResponse();
			await().until(() -> browser.getContentAsString().contains("event: lost"));
			end.countDown();
			await().until(() -> browser.getContentAsString().contains("event: refresh"));
		}
		finally {
			end.countDown();
			live.stop();
		}
	}

	/**
	 * As of a servlet filter that is registered without it.
	 */
	@Test
	void requestWithoutAsyncSupportIsToldTheReason() {
		RouterFunctions.Builder routes = RouterFunctions.route();
		new LiveRoutes(DashboardApplication.bean(PostgresStores.class)).addTo(routes);
		ServerRequest request = ServerRequest.create(new MockHttpServletRequest("GET", "/live"), List.of());
		assertThatExceptionOfType(RefusedRequestException.class)
			.isThrownBy(() -> routes.build().route(request).orElseThrow().handle(request))
			.withMessageContaining("does not support asynchronous requests")
			.satisfies((refusal) -> assertThat(refusal.status()).isEqualTo(503));
	}

}

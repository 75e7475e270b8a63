package io.jobqueue.internal.dashboard.view;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.jobqueue.internal.dashboard.DashboardProperties;
import io.jobqueue.internal.dashboard.access.DashboardAccess;
import io.jobqueue.internal.dashboard.asset.Assets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * What pages show after an action.
 */
class ViewsTests {

	private final Views views = new Views(new DashboardProperties("/jobqueue",
			new DashboardProperties.Roles(Set.of(), Set.of()), "loopback", false, null), mock(DashboardAccess.class),
			new Assets());

	@Test
	void pageAfterAnActionIsReadAnew() {
		AtomicInteger calls = new AtomicInteger();
		CachedReading<String, Integer> reading = new CachedReading<>((key) -> calls.incrementAndGet(), () -> 0);
		assertThat(reading.get("jobs")).isOne();
		ServerRequest request = ServerRequest.create(new MockHttpServletRequest("POST", "/jobqueue/jobs/1/retry"),
				List.of());
		ServerResponse redirect = this.views.redirect(request, "/jobs/1", "job.retry");
		assertThat(redirect.headers().getFirst("Location")).isEqualTo("/jobqueue/jobs/1?done=job.retry");
		assertThat(reading.get("jobs")).isEqualTo(2);
	}

}

package io.jobqueue.internal.dashboard.live;

import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Events for connected browsers. The interval is shorter than that of an application.
 */
class LiveStreamsTests {

	private static final Duration INTERVAL = Duration.ofMillis(5);

	private static final Duration NEVER = Duration.ofHours(1);

	private static final AsyncEvent EVENT = new AsyncEvent(new MockAsyncContext(new MockHttpServletRequest(), null));

	private final AtomicLong readings = new AtomicLong();

	private final AtomicLong changes = new AtomicLong();

	private final List<LiveStream> opened = new ArrayList<>();

	private volatile Runnable onChange = () -> {
	};

	private LiveStreams streams = streams(NEVER);

	@AfterEach
	void end() {
		this.streams.stop();
	}

	private LiveStreams streams(Duration silence) {
		return new LiveStreams(() -> {
			this.readings.incrementAndGet();
			if (this.changes.get() < 0) {
				throw new IllegalStateException("The pool is closed");
			}
			return this.changes.get();
		}, () -> this.onChange.run(), INTERVAL, silence);
	}

	@Test
	void eachChangeIsSentToEachBrowserOnce() {
		MockHttpServletResponse first = openFirst();
		MockHttpServletResponse second = open();
		awaitReadings(2);
		assertThat(events(second)).isZero();
		this.changes.incrementAndGet();
		await().untilAsserted(() -> assertThat(events(second)).isOne());
		awaitReadings(3);
		assertThat(events(first)).isEqualTo(2);
		assertThat(events(second)).isOne();
	}

	/**
	 * The page of the first browser may be older than the first reading.
	 */
	@Test
	void firstEventFollowsWithoutAChange() {
		MockHttpServletResponse browser = openFirst();
		awaitReadings(3);
		assertThat(events(browser)).isOne();
	}

	/**
	 * A page that refreshes must not show what was read before the change.
	 */
	@Test
	void readingsAreOutdatedBeforeAChangeIsSent() {
		MockHttpServletResponse browser = openFirst();
		List<Long> sentBefore = new ArrayList<>();
		this.onChange = () -> sentBefore.add(events(browser));
		awaitReadings(2);
		assertThat(sentBefore).isEmpty();
		this.changes.incrementAndGet();
		await().until(() -> events(browser) == 2);
		assertThat(sentBefore).containsExactly(1L);
	}

	@Test
	void eventIsSentAfterASilence() {
		this.streams = streams(Duration.ZERO);
		MockHttpServletResponse browser = open();
		await().until(() -> events(browser) > 2);
	}

	/**
	 * Pages refresh when it is over, although nothing may have changed meanwhile.
	 */
	@Test
	void failureIsSentToAllBrowsers() {
		MockHttpServletResponse browser = openFirst();
		this.changes.set(-1);
		await().until(() -> events("lost", browser) > 0);
		MockHttpServletResponse other = open();
		await().until(() -> events("lost", other) > 0);
		assertThat(events(browser)).isOne();
		this.changes.set(0);
		await().until(() -> events(browser) == 2 && events(other) == 1);
	}

	/**
	 * Its browser has gone without a word: the second attempt to write fails.
	 */
	@Test
	void deadStreamIsFoundSoonIfSlotsAreScarce() throws IOException {
		AtomicInteger writes = new AtomicInteger(Integer.MIN_VALUE);
		MockHttpServletResponse first = openFirst();
		LiveStream dead = addDying(writes);
		for (int i = 0; i < LiveStreams.MAX_STREAMS / 2; i++) {
			open();
		}
		awaitReadings(3);
		writes.set(0);
		await().until(dead::hasEnded);
		assertThat(writes).hasValue(2);
		assertThat(events(first)).isOne();
	}

	private LiveStream addDying(AtomicInteger writes) throws IOException {
		HttpServletRequest request = mock();
		HttpServletResponse response = mock();
		given(request.startAsync(request, response)).willReturn(mock());
		ServletOutputStream output = mock();
		willAnswer((call) -> {
			if (writes.incrementAndGet() > 1) {
				throw new IOException("Connection reset");
			}
			return null;
		}).given(output).flush();
		willReturn(output).given(response).getOutputStream();
		LiveStream stream = LiveStream.begin(request, response, this.streams::remove);
		this.streams.add(stream);
		return stream;
	}

	/**
	 * The server may end a response and reuse its objects at any time.
	 */
	@Test
	void streamThatFailsDoesNotEndOthers() throws IOException {
		HttpServletRequest request = mock();
		AsyncContext context = mock();
		HttpServletResponse response = mock();
		given(request.startAsync(request, response)).willReturn(context);
		willThrow(new IllegalStateException("ended")).given(context).complete();
		ServletOutputStream output = mock();
		willThrow(new IllegalStateException("recycled")).given(output).flush();
		willReturn(output).given(response).getOutputStream();
		this.streams.add(LiveStream.begin(request, response, this.streams::remove));
		MockHttpServletResponse browser = openFirst();
		this.changes.incrementAndGet();
		await().until(() -> events(browser) == 2);
		this.changes.incrementAndGet();
		await().until(() -> events(browser) == 3);
		then(context).should().complete();
	}

	@Test
	void nothingIsReadWithoutBrowsers() {
		MockHttpServletResponse first = openFirst();
		this.opened.get(0).end();
		await().until(this.streams::isIdle);
		this.changes.incrementAndGet();
		MockHttpServletResponse next = openFirst();
		this.changes.incrementAndGet();
		await().until(() -> events(next) == 2);
		assertThat(events(first)).isOne();
	}

	@Test
	void numberOfStreamsIsLimited() {
		for (int i = 0; i < LiveStreams.MAX_STREAMS; i++) {
			assertThat(this.streams.hasRoom()).isTrue();
			open();
		}
		assertThat(this.streams.hasRoom()).isFalse();
		this.opened.get(7).end();
		assertThat(this.streams.hasRoom()).isTrue();
	}

	@Test
	void streamWhoseBrowserHasGoneIsForgotten() {
		open();
		this.opened.get(0).onComplete(EVENT);
		await().until(this.streams::isIdle);
		this.opened.get(0).send("ignored");
	}

	@Test
	void streamThatEndsBeforeItIsAddedIsForgotten() throws IOException {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setAsyncSupported(true);
		LiveStream stream = LiveStream.begin(request, new MockHttpServletResponse(), this.streams::remove);
		stream.onComplete(EVENT);
		this.streams.add(stream);
		await().until(this.streams::isIdle);
	}

	@Test
	void streamEndsAtItsTimeOut() {
		open();
		this.opened.get(0).onTimeout(EVENT);
		await().until(this.streams::isIdle);
	}

	@Test
	void streamEndsWithTheSessionOfItsUser() throws IOException {
		MockHttpSession session = new MockHttpSession();
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setAsyncSupported(true);
		request.setSession(session);
		LiveStream stream = LiveStream.begin(request, new MockHttpServletResponse(), this.streams::remove);
		this.streams.add(stream);
		awaitReadings(2);
		assertThat(stream.hasEnded()).isFalse();
		session.invalidate();
		await().until(stream::hasEnded);
	}

	@Test
	void noStreamOutlivesAStop() {
		open();
		this.streams.stop();
		await().until(this.streams::isIdle);
		assertThat(this.streams.hasRoom()).isFalse();
		open();
		assertThat(this.streams.isIdle()).isTrue();
		this.streams.start();
		assertThat(this.streams.hasRoom()).isTrue();
	}

	private MockHttpServletResponse openFirst() {
		MockHttpServletResponse browser = open();
		await().until(() -> events(browser) == 1);
		return browser;
	}

	private MockHttpServletResponse open() {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setAsyncSupported(true);
		MockHttpServletResponse response = new MockHttpServletResponse();
		try {
			LiveStream stream = LiveStream.begin(request, response, this.streams::remove);
			this.opened.add(stream);
			this.streams.add(stream);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return response;
	}

	private void awaitReadings(int number) {
		long before = this.readings.get();
		await().until(() -> this.readings.get() >= before + number);
	}

	private static long events(MockHttpServletResponse response) {
		return events("refresh", response);
	}

	private static long events(String event, MockHttpServletResponse response) {
		try {
			return response.getContentAsString().lines().filter(("event: " + event)::equals).count();
		}
		catch (UnsupportedEncodingException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

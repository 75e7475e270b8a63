package io.jobqueue.internal.dashboard.access;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;

import io.jobqueue.internal.dashboard.RefusedRequestException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Which requests count as requests of this machine.
 */
class LoopbackAccessTests {

	private final LoopbackAccess access = new LoopbackAccess();

	private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/jobqueue");

	LoopbackAccessTests() {
		this.request.setRemoteAddr("127.0.0.1");
		this.request.addHeader("Host", "localhost:8080");
		this.request.setServerName("localhost");
		this.request.setServerPort(8080);
	}

	@ParameterizedTest
	@CsvSource({ "127.0.0.1, localhost", "127.0.0.1, LOCALHOST:8080", "127.8.9.10, 127.0.0.1:80",
			"0:0:0:0:0:0:0:1, [::1]:8443", "::1, localhost:1", "::ffff:127.0.0.1, [::1]" })
	void peerAndHostOfThisMachineAreAnswered(String peer, String host) {
		this.request.setRemoteAddr(peer);
		setHost(host);
		assertThatNoException().isThrownBy(() -> this.access.check(this.request, false));
		assertThat(this.access.mayWrite(this.request)).isTrue();
		assertThat(this.access.csrf(this.request)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "192.168.0.7", "10.0.0.1", "::2", "8.8.8.8", "::ffff:192.168.0.7", "" })
	void peerOnAnotherMachineIsRefused(String peer) {
		this.request.setRemoteAddr(peer);
		assertRefused("the request comes from another machine");
	}

	@ParameterizedTest
	@ValueSource(strings = { "example.org", "localhost.example.org", "127.0.0.1.example.org", "localhost:8080@evil",
			"127.0.0.2", "[::2]", "::1", "", "localhost:", "localhost, evil" })
	void hostWithAnotherNameIsRefused(String host) {
		setHost(host);
		assertRefused("the address names another machine than localhost");
	}

	@Test
	void authorityCountsWithoutHost() {
		this.request.removeHeader("Host");
		this.request.setServerName("evil.example.org");
		assertRefused("the address names another machine than localhost");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Forwarded", "forwarded", "X-Forwarded-For", "x-forwarded-host", "X-FORWARDED-PROTO",
			"X-Forwarded-Anything", "X-Forwarded", "X-Real-IP", "Via" })
	void requestWithAHeaderOfAProxyIsRefused(String header) {
		this.request.addHeader(header, "");
		assertRefused("a proxy has forwarded the request");
	}

	@Test
	void requestOfAProxyWithoutHeadersIsRefused() {
		this.request.setProtocol("HTTP/1.0");
		assertRefused("a proxy has forwarded the request");
	}

	@Test
	void requestWhosePeerTomcatHasReplacedIsRefused() {
		this.request.setAttribute("org.apache.tomcat.request.forwarded", true);
		assertRefused("a proxy has forwarded the request");
	}

	@ParameterizedTest
	@CsvSource({ "same-origin,", "same-origin, https://evil.example.org", ", http://localhost:8080" })
	void writeOfTheSameOriginIsAnswered(String site, String origin) {
		setHeader("Sec-Fetch-Site", site);
		setHeader("Origin", origin);
		assertThatNoException().isThrownBy(() -> this.access.check(this.request, true));
	}

	@ParameterizedTest
	@CsvSource({ ",", "same-site, http://localhost:8080", "cross-site, http://localhost:8080",
			"none, http://localhost:8080", ", null", ", http://localhost:8081", ", https://localhost:8080",
			", http://localhost", ", http://evil.example.org" })
	void writeOfAnotherOriginIsRefused(String site, String origin) {
		setHeader("Sec-Fetch-Site", site);
		setHeader("Origin", origin);
		assertThatExceptionOfType(RefusedRequestException.class).isThrownBy(() -> this.access.check(this.request, true))
			.withMessageMatching(
					"(A page of another site has sent this request|Only pages of the dashboard may change something: .*)\\.");
	}

	@Test
	void pageOfAnotherSiteMayLinkToThisPage() {
		setHeader("Sec-Fetch-Site", "cross-site");
		setHeader("Sec-Fetch-Mode", "navigate");
		assertThatNoException().isThrownBy(() -> this.access.check(this.request, false));
	}

	@Test
	void pageOfAnotherSiteMayNotOpenTheStream() {
		setHeader("Sec-Fetch-Site", "cross-site");
		setHeader("Sec-Fetch-Mode", "cors");
		assertThatExceptionOfType(RefusedRequestException.class)
			.isThrownBy(() -> this.access.check(this.request, false));
	}

	private void assertRefused(String reason) {
		assertThatExceptionOfType(RefusedRequestException.class)
			.isThrownBy(() -> this.access.check(this.request, false))
			.withMessageEndingWith(": " + reason + ".")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(403));
	}

	private void setHost(String host) {
		this.request.removeHeader("Host");
		this.request.addHeader("Host", host);
	}

	private void setHeader(String name, String value) {
		if (value != null) {
			this.request.addHeader(name, value);
		}
	}

}

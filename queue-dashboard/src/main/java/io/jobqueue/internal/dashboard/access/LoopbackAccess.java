package io.jobqueue.internal.dashboard.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.internal.dashboard.RefusedRequestException;

/**
 * Answers requests of this machine that name this machine: a page of another site whose
 * name resolves to the loopback address names itself. A proxy on this machine forwards
 * requests of others, so those that have passed one are refused.
 */
final class LoopbackAccess implements DashboardAccess {

	private static final Pattern HOST = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?",
			Pattern.CASE_INSENSITIVE);

	private static final Set<String> OF_PROXIES = Set.of("forwarded", "via", "x-real-ip");

	/**
	 * Set by Tomcat's RemoteIpValve, which removes the headers of proxies.
	 */
	private static final String FORWARDED = "org.apache.tomcat.request.forwarded";

	@Override
	public void check(HttpServletRequest request, boolean write) {
		require(isLoopback(request.getRemoteAddr()), "the request comes from another machine");
		require(HOST.matcher(host(request)).matches(), "the address names another machine than localhost");
		require(!isForwarded(request), "a proxy has forwarded the request");
		FetchMetadata.refuseOtherSites(request, write);
		if (write) {
			FetchMetadata.requireSameOrigin(request);
		}
	}

	/**
	 * An address without characters would resolve to the loopback address.
	 */
	private static boolean isLoopback(@Nullable String address) {
		try {
			return StringUtils.hasText(address) && InetAddress.getByName(address).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

	/**
	 * HTTP/2 has a pseudo-header in place of the header.
	 */
	private static String host(HttpServletRequest request) {
		String header = request.getHeader("Host");
		return (header != null) ? header : String.valueOf(request.getServerName());
	}

	/**
	 * Browsers do not speak HTTP/1.0. Proxies do that add no headers, such as nginx with
	 * its defaults.
	 */
	private static boolean isForwarded(HttpServletRequest request) {
		return "HTTP/1.0".equals(request.getProtocol()) || request.getAttribute(FORWARDED) != null
				|| Collections.list(request.getHeaderNames()).stream().anyMatch(LoopbackAccess::isOfProxy);
	}

	private static boolean isOfProxy(String header) {
		String name = header.toLowerCase(Locale.ROOT);
		return OF_PROXIES.contains(name) || name.startsWith("x-forwarded");
	}

	private static void require(boolean allowed, String reason) {
		if (!allowed) {
			throw new RefusedRequestException(403,
					"The dashboard answers requests of this machine only ('jobqueue.dashboard.unsecured' is 'loopback'): %s."
						.formatted(reason));
		}
	}

	@Override
	public boolean mayWrite(HttpServletRequest request) {
		return true;
	}

	@Override
	public @Nullable Csrf csrf(HttpServletRequest request) {
		return null;
	}

}

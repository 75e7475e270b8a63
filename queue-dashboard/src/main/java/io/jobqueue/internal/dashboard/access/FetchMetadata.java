package io.jobqueue.internal.dashboard.access;

import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;

import io.jobqueue.internal.dashboard.RefusedRequestException;

/**
 * What the browser says about the page that has sent a request. Pages cannot change it.
 */
final class FetchMetadata {

	private static final String SITE = "Sec-Fetch-Site";

	private static final String SAME_ORIGIN = "same-origin";

	/**
	 * {@code none}: the user has sent the request, not a page.
	 */
	private static final Set<String> OWN = Set.of(SAME_ORIGIN, "none");

	private static final String OTHER_SITE = "A page of another site has sent this request.";

	private static final String OTHER_ORIGIN = "Only pages of the dashboard may change something: 'Sec-Fetch-Site' has to be same-origin, or without it 'Origin' the address of this application.";

	private FetchMetadata() {
	}

	/**
	 * Require that no page of another site has sent a request, except a link to a page.
	 */
	static void refuseOtherSites(HttpServletRequest request, boolean write) {
		String site = request.getHeader(SITE);
		boolean link = !write && "navigate".equals(request.getHeader("Sec-Fetch-Mode"));
		require(site == null || OWN.contains(site) || link, OTHER_SITE);
	}

	/**
	 * Require that a page of the dashboard has sent a request that changes something.
	 */
	static void requireSameOrigin(HttpServletRequest request) {
		String site = request.getHeader(SITE);
		require((site != null) ? site.equals(SAME_ORIGIN) : origin(request).equals(request.getHeader("Origin")),
				OTHER_ORIGIN);
	}

	private static String origin(HttpServletRequest request) {
		int port = request.getServerPort();
		boolean usual = port == (request.isSecure() ? 443 : 80);
		return request.getScheme() + "://" + request.getServerName() + (usual ? "" : ":" + port);
	}

	private static void require(boolean allowed, String reason) {
		if (!allowed) {
			throw new RefusedRequestException(403, reason);
		}
	}

}

package io.jobqueue.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import io.jobqueue.operations.CurrentUser;

/**
 * The user that Spring Security has authenticated.
 */
final class SecurityContextUser implements CurrentUser {

	@Override
	public @Nullable String name() {
		Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
		return (authentication != null) ? authentication.getName() : null;
	}

}

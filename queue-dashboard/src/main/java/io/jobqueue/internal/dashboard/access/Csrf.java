package io.jobqueue.internal.dashboard.access;

/**
 * The token that the application's protection against forged requests wants back from
 * each form.
 *
 * @param parameter the name of the parameter
 * @param token its value, which may differ for each page
 */
public record Csrf(String parameter, String token) {

}
